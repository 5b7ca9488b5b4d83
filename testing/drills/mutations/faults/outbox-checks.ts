// Faults in the checks of the outbox: who may ask the engine for money.

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
];
