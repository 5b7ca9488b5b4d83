// Faults in historical queries: positions, stored totals, effects of fees.

import type { FaultTable } from '../fault.ts';

export const LEDGER_HISTORY_FAULTS: FaultTable = {
  'features/reports/ledger/ledger-position.ts': {
    'a point in time omits its own frame': { in: 'FRAME_AT', replace: ['<= $2', '< $2'] },
  },
  'features/reports/ledger/balances-at.ts': {
    'a balance counts the last entries of its checkpoint twice': {
      in: 'BALANCES',
      replace: ['frame) >', 'frame) >='],
    },
  },
  'features/reports/ledger/ledger-checkpoints.ts': {
    'a ledger step omits the earlier totals': {
      in: 'ADD_TO_TOTALS',
      remove: 'coalesce(t.users_held_atoms, 0) +',
    },
  },
  'features/reports/fee-simulation/fee-effect.ts': {
    'proposed fees ignore user discounts': {
      in: 'proposedAtoms',
      replace: ['sum.discountPpm', '0 as Ppm'],
    },
  },
  'features/reports/fee-simulation/fee-days.ts': {
    "a fill shows its user's current tier": {
      in: 'SUM_HOUR',
      remove: 'and c.command < s.order_number',
    },
  },
};
