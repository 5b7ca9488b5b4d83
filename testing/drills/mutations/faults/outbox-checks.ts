// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults around the outbox: who may ask the engine for money, and what tables say of the outcome.

import type { FaultTable } from '../fault.ts';

export const OUTBOX_CHECK_FAULTS: FaultTable = {
  'services/outbox-dispatcher/authorization/permitted.ts': {
    'an operator needs no entry of the act': {
      in: 'permissionOf',
      replace: ["(writer === 'admin' && facts.isAct)", "writer === 'admin'"],
    },
    'a configuration of an operator needs no entry that names it': {
      in: 'commandPermission',
      replace: ["(writer === 'admin' && isAct)", "writer === 'admin'"],
    },
    'the notifier configures the engine': {
      in: 'commandPermission.isOwnJob',
      value: "writer === 'notifier'",
    },
    'a command holds another amount than its request names': {
      in: 'judgeOpening',
      remove: 'request.atoms === `${amountAtoms}` &&',
    },
    'a transfer leaves the family': { in: 'judgeSending', remove: 'isFamily &&' },
    'any user pays a referrer': { in: 'isPayoutOf', remove: 'sender === distributor &&' },
  },
  'features/payments/settle-requests.ts': {
    'an outcome and its request are settled in two transactions': {
      in: 'settleRequests',
      replace: [
        '{ await',
        "{ await connection.query('commit'); await connection.query('begin'); await",
      ],
    },
  },
  'services/projector/projector.ts': {
    'after a lost connection the projector takes its batch as committed': {
      in: 'Projector.#write',
      replace: ['sameCursor(cursor, batch.after)', 'cursor !== undefined'],
    },
  },
};
