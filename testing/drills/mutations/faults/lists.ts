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
    name: 'any number of rows is sorted',
    file: `${LISTS}/lists.ts`,
    find: 'if (sortedBy === undefined || count <= SORTED_ROWS_MAX) return count;',
    replace: 'if (sortedBy === undefined || count <= rowsReachedMax) return count;',
  },
  {
    name: 'the rows of a sorted list are counted without a bound',
    file: `${LISTS}/lists.ts`,
    find: 'sortedBy !== undefined ? SORTED_ROWS_MAX + 1 : isAll ? null : rowsReachedMax',
    replace: 'isAll ? null : sortedBy !== undefined ? SORTED_ROWS_MAX + 1 : rowsReachedMax',
  },
  {
    name: 'a client that was cut off as too slow has a reader again at once',
    file: `${LISTS}/row-reader.ts`,
    find: 'const SLOW_BLOCKED_MS = 60_000;',
    replace: 'const SLOW_BLOCKED_MS = 0;',
  },
];
