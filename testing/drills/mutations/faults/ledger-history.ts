// Faults in historical queries: positions, stored totals, effects of fees.

import type { FaultTable } from '../fault.ts';

export const LEDGER_HISTORY_FAULTS: FaultTable = {
  'features/reports/ledger/ledger-position.ts': {
    'a moment leaves its own frame out': { in: 'FRAME_AT', replace: ['<= $2', '< $2'] },
  },
  'features/reports/ledger/balances-at.ts': {
    'a balance counts the last entries of its checkpoint twice': {
      in: 'BALANCES',
      replace: ['frame) >', 'frame) >='],
    },
  },
  'features/reports/ledger/ledger-checkpoints.ts': {
    'a step of the ledger forgets the totals before it': {
      in: 'ADD_TO_TOTALS',
      remove: 'coalesce(t.users_held_atoms, 0) +',
    },
  },
  'features/reports/fee-simulation/fee-effect.ts': {
    'proposed fees ignore discounts of users': {
      in: 'proposedAtoms',
      replace: ['sum.discountPpm', '0 as Ppm'],
    },
  },
  'features/reports/fee-simulation/fee-days.ts': {
    'a fill has the present tier of its user': {
      in: 'SUM_HOUR',
      remove: 'and c.command < s.order_number',
    },
  },
};
