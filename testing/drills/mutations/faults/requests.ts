// Faults in how requests are admitted: replays of signatures, and keys that must not be ignored.

import type { Fault } from '../fault.ts';

const REPLAYS = 'infra/access/replay-set.ts';
const KEYS = 'protocol/refused-keys.ts';

export const REQUEST_FAULTS: readonly Fault[] = [
  {
    name: 'a recorded order counts until its signature expires',
    file: REPLAYS,
    find: 'taken.mayRepeat === true && nowMs - firstMs <= REPEATS_WITHIN_MS',
    replace: 'taken.mayRepeat === true',
  },
  {
    name: 'a recorded withdrawal counts for two seconds',
    file: REPLAYS,
    find: 'taken.mayRepeat === true && nowMs',
    replace: 'nowMs',
  },
  {
    name: 'a restart forgets the signatures that other gateways know',
    file: REPLAYS,
    find: '.known`, known);',
    replace: '.known`, []);',
  },
  {
    name: 'terms that the exchange does not have are ignored',
    file: KEYS,
    find: 'const isRefused = place !== undefined || EXECUTION_KEYS.has(name);',
    replace: 'const isRefused = place !== undefined;',
  },
];
