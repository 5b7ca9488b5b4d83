// A user's trades, each from the user's side.

import { FILL_SORT_COLUMNS, fillOfRow, fillsOfUser } from '../../../infra/projections/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  marketFilter,
  momentFilter,
  requireFresh,
} from '../../../platform/http/index.ts';
import { fillJson, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { marketOf } from '../../trading/http/index.ts';

export async function getUserTrades(
  call: Call<Routes['getUserTrades']>,
  dependencies: Dependencies,
) {
  const { caller, query } = call;
  const market = marketFilter(dependencies, query.symbol);
  if (market instanceof Refused) return market;
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  return answerList(call, {
    ...fillsOfUser,
    pool: dependencies.projections,
    clock: dependencies.clock,
    values: [caller.user, market, momentFilter(query.start_date), momentFilter(query.end_date)],
    sortColumns: FILL_SORT_COLUMNS,
    write: (row) => {
      const fill = fillOfRow(row);
      return fillJson(marketOf(dependencies.catalogue.now, fill.market), fill);
    },
    fileName: `${dependencies.exchange.name}-trades`,
  });
}
