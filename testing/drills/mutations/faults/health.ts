// Faults in the alarms of the exchange.

import type { FaultTable } from '../fault.ts';

export const HEALTH_FAULTS: FaultTable = {
  'features/health/log-alarms.ts': {
    'a follower that reports no position counts as level': {
      in: 'followersBehind',
      replace: ['[...behind, ...withoutPosition(facts)]', 'behind'],
    },
  },
  'features/health/storage-alarms.ts': {
    'a backup that never took place raises nothing': {
      in: 'old',
      remove: "{ object: '', detail: OLD[name].none }",
    },
  },
  'features/health/money-alarms.ts': {
    'a negative sum of the ledger raises nothing': {
      in: 'ledgerUnbalanced',
      replace: ["sumAtoms !== '0'", 'Number(sumAtoms) > 0'],
    },
  },
  'features/health/process-alarms.ts': {
    'a silent process counts as one that applies the switches': {
      in: 'switchLate',
      replace: ["!== 'stopped'", "=== 'running'"],
    },
  },
};
