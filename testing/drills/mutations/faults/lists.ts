// Faults in the shares of lists: who may read how much at once, and what may be sorted.

import type { Fault } from '../fault.ts';

const LISTS = 'platform/http/lists';

export const LIST_FAULTS: readonly Fault[] = [
  {
    name: 'one caller has all turns',
    file: `${LISTS}/turns.ts`,
    find: 'this.#running.size < runningMax && !this.#running.has(who)',
    replace: 'this.#running.size < runningMax',
  },
  {
    name: 'the requests of one caller that wait are not counted',
    file: `${LISTS}/turns.ts`,
    find: 'own + isRunning > waitingPerCallerMax',
    replace: 'isRunning > waitingPerCallerMax',
  },
  {
    name: 'prices of several markets are sorted together',
    file: `${LISTS}/lists.ts`,
    find: 'if (filter === undefined || given[filter] !== undefined) return undefined;',
    replace: 'if (filter === undefined || given !== undefined) return undefined;',
  },
  {
    name: 'a client that was cut off as too slow has a reader again at once',
    file: `${LISTS}/row-reader.ts`,
    find: 'const SLOW_BLOCKED_MS = 60_000;',
    replace: 'const SLOW_BLOCKED_MS = 0;',
  },
];
