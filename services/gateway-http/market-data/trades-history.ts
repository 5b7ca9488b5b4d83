// Trades of the past, by pages, from the tables. Anyone may ask, so it never reads far: so many
// rows of what was asked for can be reached and are counted; dates lead further back.

import type { Lots, Ticks, TimeMs } from '../../../core/money/index.ts';
import { publicTradeOfMarketJson, type Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, JsonText, StreamedAnswer } from '../handler.ts';
import { marketFilter, momentFilter } from '../lists/list-filters.ts';
import { answerList, type Row } from '../lists/lists.ts';

const ROWS_MAX = 10_000;

// Direct trades are not of the book, and have no orders.
const FOUND = `
  from trades t
  where t.taker_order > 0
    and ($1::bigint is null or t.market_id = $1)
    and ($2::text is null or t.taker_side = $2)
    and ($3::timestamptz is null or t.executed_at >= $3)
    and ($4::timestamptz is null or t.executed_at < $4)`;

const rows = (order: string) => `
  select t.market_id, t.taker_side, t.price_ticks, t.size_lots, t.executed_at ${FOUND}
  ${order} limit $5 offset $6`;

const COUNT = `select count(*) from (select 1 ${FOUND} limit ${ROWS_MAX}) found`;

export function getTradesHistory(
  call: Call<Routes['getTradesHistory']>,
  dependencies: Dependencies,
): Promise<JsonText | StreamedAnswer> {
  const { query } = call;
  const market = marketFilter(dependencies, query.symbol);
  if (query.page * query.limit > ROWS_MAX) throw new ApiRefusal('too_many_rows');
  const { catalogue, exchange, projections } = dependencies;
  const dates = [momentFilter(query.start_date), momentFilter(query.end_date)];
  return answerList(call, {
    pool: projections,
    clock: dependencies.clock,
    rows,
    count: COUNT,
    isCountBounded: false,
    values: [market, query.side ?? null, ...dates],
    // Sorting by anything else would mean to read everything.
    sortColumns: { timestamp: 't.executed_at', created_at: 't.executed_at' },
    defaultSort: ['t.executed_at', 't.number'],
    write: (row) => tradeRowJson(catalogue.now, row),
    fileName: `${exchange.name}-trades`,
  });
}

function tradeRowJson({ marketsById }: Dependencies['catalogue']['now'], row: Row): string {
  const market = marketsById.get(Number(row.market_id));
  if (market === undefined) throw new Error(`market ${row.market_id} is not in the catalogue yet`);
  return publicTradeOfMarketJson(market, {
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    takerSide: row.taker_side,
    timeMs: row.executed_at.getTime() as TimeMs,
  });
}
