// Faults around the outbox: who may ask the engine for money, and what tables say of the outcome.

import type { Fault } from '../fault.ts';

const PERMITTED = 'services/outbox-dispatcher/authorization/permitted.ts';

export const OUTBOX_CHECK_FAULTS: readonly Fault[] = [
  {
    name: 'an operator needs no entry of the act',
    file: PERMITTED,
    find: "(writer === 'admin' && facts.isAct)",
    replace: "writer === 'admin'",
  },
  {
    name: 'a configuration of an operator needs no entry that names it',
    file: PERMITTED,
    find: "(writer === 'admin' && isAct) || isOwnJob",
    replace: "writer === 'admin' || isOwnJob",
  },
  {
    name: 'the notifier configures the engine',
    file: PERMITTED,
    find: "const isOwnJob = writer === 'notifier' && command.kind === 'AnchorAudit'",
    replace: "const isOwnJob = writer === 'notifier'",
  },
  {
    name: 'a command holds another amount than its request names',
    file: PERMITTED,
    find: `    request.atoms === \`\${amountAtoms}\` &&
    request.feeAsset`,
    replace: '    request.feeAsset',
  },
  {
    name: 'a transfer leaves the family',
    file: PERMITTED,
    find: 'if (isFamily && withdrawal.network === null)',
    replace: 'if (withdrawal.network === null)',
  },
  {
    name: 'any user pays a referrer',
    file: PERMITTED,
    find: '    sender === distributor &&\n',
    replace: '',
  },
  {
    name: 'an outcome and its request are settled in two transactions',
    file: 'features/payments/settle-requests.ts',
    find: "  await settle(connection, settled, 'withdrawalRequest');\n",
    replace:
      "  await connection.query('commit');\n  await connection.query('begin');\n" +
      "  await settle(connection, settled, 'withdrawalRequest');\n",
  },
  {
    name: 'after a lost connection the projector takes its batch as committed',
    file: 'services/projector/projector.ts',
    find: 'if (sameCursor(cursor, batch.after)) return true;',
    replace: 'if (cursor !== undefined) return true;',
  },
];
