// The routes of the operators' console beside the lists.

import { exportList, exportOfRow } from '../../../domain/people/index.ts';
import { type ListExport, timeText } from '../../../protocol/index.ts';
import type { HandlersOf } from '../handler.ts';
import { answerList, type Row } from '../lists/lists.ts';
import { datesOf } from '../operator-lists/answer-list.ts';

const EXPORT_SORT_COLUMNS = { id: 'e.id', started_at: 'e.started_at' };

export const consoleRoutes: HandlersOf<'console'> = {
  getExports(call, { clock, exchange, registry }) {
    const { id, list, operator_id: operator, sha256, state } = call.query;
    const filter = { id, list, operator, sha256, state, ...datesOf(call.query) };
    return answerList(call, {
      ...exportList(filter),
      pool: registry,
      clock,
      sortColumns: EXPORT_SORT_COLUMNS,
      write: (row) => JSON.stringify(exportJson(row)),
      fileName: `${exchange.name}-exports`,
    });
  },
};

function exportJson(row: Row): ListExport {
  const { endedAt, operator, startedAt, ...rest } = exportOfRow(row);
  return {
    ...rest,
    operator_id: operator,
    started_at: timeText(startedAt.getTime()),
    ended_at: endedAt === null ? null : timeText(endedAt.getTime()),
  };
}
