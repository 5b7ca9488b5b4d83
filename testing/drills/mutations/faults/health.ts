// Faults in the alarms of the exchange.

import type { Fault } from '../fault.ts';

export const HEALTH_FAULTS: readonly Fault[] = [
  {
    name: 'a follower that reports no position counts as level',
    file: 'features/health/log-alarms.ts',
    find: 'return [...behind, ...withoutPosition(facts)];',
    replace: 'return behind;',
  },
  {
    name: 'a backup that never took place raises nothing',
    file: 'features/health/storage-alarms.ts',
    find: "if (ageMs === undefined) return [{ object: '', detail: OLD[name].none }];",
    replace: 'if (ageMs === undefined) return [];',
  },
  {
    name: 'a negative sum of the ledger raises nothing',
    file: 'features/health/money-alarms.ts',
    find: "sumAtoms !== '0'",
    replace: 'Number(sumAtoms) > 0',
  },
  {
    name: 'a silent process counts as one that applies the switches',
    file: 'features/health/process-alarms.ts',
    find: "    .filter(({ state }) => state !== 'stopped')\n    .flatMap(",
    replace: "    .filter(({ state }) => state === 'running')\n    .flatMap(",
  },
];
