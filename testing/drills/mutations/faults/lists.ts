// Faults in per-caller list limits: how much a caller can read concurrently, and what can be
// sorted.

import type { FaultTable } from '../fault.ts';

export const LIST_FAULTS: FaultTable = {
  'platform/http/lists/turns.ts': {
    'one caller gets all turns': { in: 'Turns.take', remove: '&& !this.#running.has(who)' },
    'queued requests of one caller are not counted': { in: 'Turns.take', remove: 'own +' },
  },
  'platform/http/lists/lists.ts': {
    'any number of rows is sorted': {
      in: 'answerList',
      replace: ['<= SORTED_ROWS_MAX', '<= rowsReachedMax'],
    },
    'the rows of a sorted list are counted without a limit': {
      in: 'answerList.countMax',
      value: 'isAll ? null : sortedBy !== undefined ? SORTED_ROWS_MAX + 1 : rowsReachedMax',
    },
  },
  'platform/http/lists/row-reader.ts': {
    'a client cut off as too slow gets a reader again immediately': {
      in: 'SLOW_BLOCKED_MS',
      value: '0',
    },
  },
};
