// A user's trades, each from the user's side.

import { fillOfRow, fillsOfUser } from '../../../infra/projections/index.ts';
import { fillJson, type Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, JsonText, StreamedAnswer } from '../handler.ts';
import { marketFilter, momentFilter } from '../lists/list-filters.ts';
import { answerList } from '../lists/lists.ts';
import { marketOf } from '../orders/order-now.ts';
import { requireFresh } from '../preconditions.ts';

const SORT_COLUMNS = {
  timestamp: 'f.executed_at',
  created_at: 'f.executed_at',
  id: 'f.trade',
  symbol: 'f.market_id',
  side: 'f.side',
  size: 'f.size_lots',
  price: 'f.price_ticks',
  fee: 'f.fee_atoms',
};

export async function getUserTrades(
  call: Call<Routes['getUserTrades']>,
  dependencies: Dependencies,
): Promise<JsonText | StreamedAnswer> {
  const { caller, query } = call;
  const market = marketFilter(dependencies, query.symbol);
  await requireFresh(dependencies);
  return answerList(call, {
    ...fillsOfUser,
    pool: dependencies.projections,
    clock: dependencies.clock,
    values: [caller.user, market, momentFilter(query.start_date), momentFilter(query.end_date)],
    sortColumns: SORT_COLUMNS,
    write: (row) => {
      const fill = fillOfRow(row);
      return fillJson(marketOf(dependencies.catalogue.now, fill.market), fill);
    },
    fileName: `${dependencies.exchange.name}-trades`,
  });
}
