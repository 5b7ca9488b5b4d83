// Past trades, by pages, from the tables. The route is public, so it reads a bounded number of
// rows: pages and counts go no further. Dates reach further back.

import type { Lots, Ticks, TimeMs, TradeNumber } from '../../../core/money/index.ts';
import { publicTrades } from '../../../infra/projections/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  marketFilter,
  momentFilter,
  type Row,
} from '../../../platform/http/index.ts';
import { publicTradeOfMarketJson, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

const ROWS_REACHED_MAX = 10_000;

export function getTradesHistory(
  call: Call<Routes['getTradesHistory']>,
  dependencies: Dependencies,
) {
  const { query } = call;
  const market = marketFilter(dependencies, query.symbol);
  if (market instanceof Refused) return market;
  const { catalogue, exchange, projections } = dependencies;
  const dates = [momentFilter(query.start_date), momentFilter(query.end_date)];
  return answerList(call, {
    ...publicTrades,
    pool: projections,
    clock: dependencies.clock,
    rowsReachedMax: ROWS_REACHED_MAX,
    values: [market, query.side ?? null, ...dates],
    // Any other order would read the entire table.
    sortColumns: { timestamp: 't.executed_at', created_at: 't.executed_at' },
    write: (row) => tradeRowJson(catalogue.now, row),
    fileName: `${exchange.name}-trades`,
  });
}

function tradeRowJson({ marketsById }: Dependencies['catalogue']['now'], row: Row): string {
  const market = marketsById.get(Number(row.market_id));
  if (market === undefined) throw new Error(`market ${row.market_id} is not in the catalog yet`);
  return publicTradeOfMarketJson(market, {
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    takerSide: row.taker_side,
    timeMs: row.executed_at.getTime() as TimeMs,
    trade: Number(row.number) as TradeNumber,
  });
}
