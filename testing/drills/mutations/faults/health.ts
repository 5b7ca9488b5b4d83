// Faults in the alarms of the exchange.

import type { FaultTable } from '../fault.ts';

export const HEALTH_FAULTS: FaultTable = {
  'features/health/log-alarms.ts': {
    'a follower without a reported position counts as caught up': {
      in: 'followersBehind',
      replace: ['[...behind, ...withoutPosition(facts)]', 'behind'],
    },
  },
  'features/health/storage-alarms.ts': {
    'a backup that never ran raises no alarm': {
      in: 'old',
      remove: "{ object: '', detail: OLD[name].none }",
    },
  },
  'features/health/money-alarms.ts': {
    'a negative ledger total raises no alarm': {
      in: 'ledgerUnbalanced',
      replace: ["sumAtoms !== '0'", 'Number(sumAtoms) > 0'],
    },
  },
  'features/health/process-alarms.ts': {
    'a process that is not responding counts as applying the switches': {
      in: 'switchLate',
      replace: ["!== 'stopped'", "=== 'running'"],
    },
  },
};
