// Faults in per-caller list limits: how much a caller can read concurrently, and what can be
// sorted.

import type { FaultTable } from '../fault.ts';

export const LIST_FAULTS: FaultTable = {
  'platform/http/lists/turns.ts': {
    'one caller has all turns': { in: 'Turns.take', remove: '&& !this.#running.has(who)' },
    'the requests of one caller that wait are not counted': { in: 'Turns.take', remove: 'own +' },
  },
  'platform/http/lists/lists.ts': {
    'any number of rows is sorted': {
      in: 'answerList',
      replace: ['<= SORTED_ROWS_MAX', '<= rowsReachedMax'],
    },
    'the rows of a sorted list are counted without a bound': {
      in: 'answerList.countMax',
      value: 'isAll ? null : sortedBy !== undefined ? SORTED_ROWS_MAX + 1 : rowsReachedMax',
    },
  },
  'platform/http/lists/row-reader.ts': {
    'a client that was cut off as too slow has a reader again at once': {
      in: 'SLOW_BLOCKED_MS',
      value: '0',
    },
  },
};
