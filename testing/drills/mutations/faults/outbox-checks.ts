// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults around the outbox: who can request money from the engine, and how outcomes are recorded.

import type { FaultTable } from '../fault.ts';

export const OUTBOX_CHECK_FAULTS: FaultTable = {
  'services/outbox-dispatcher/authorization/permitted.ts': {
    "an operator's command needs no action entry": {
      in: 'permissionOf',
      replace: ["(writer === 'admin' && facts.isAct)", "writer === 'admin'"],
    },
    "an operator's configuration needs no entry that names it": {
      in: 'commandPermission',
      replace: ["(writer === 'admin' && isAct)", "writer === 'admin'"],
    },
    'the notifier configures the engine': {
      in: 'commandPermission.isOwnJob',
      value: "writer === 'notifier'",
    },
    'a command has a different amount than its request': {
      in: 'judgeOpening',
      remove: 'request.atoms === `${amountAtoms}` &&',
    },
    'a transfer leaves the family': { in: 'judgeSending', remove: 'isFamily &&' },
    'any user can pay a referrer': { in: 'isPayoutOf', remove: 'sender === distributor &&' },
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
    'after a lost connection the projector treats its batch as committed': {
      in: 'Projector.#write',
      replace: ['sameCursor(cursor, batch.after)', 'cursor !== undefined'],
    },
  },
};
