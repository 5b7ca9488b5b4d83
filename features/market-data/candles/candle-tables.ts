// Candles from the projected tables, for many markets with one statement. The limit bounds the rows
// read per market.

import type { MarketId } from '../../../core/money/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import type { CandleSource } from './candle-memory.ts';
import { type CandleRow, type ChartCandle, candleOfRow } from './chart-candle.ts';

/** $1 markets, $2 resolution, $3 from, $4 to, $5 limit. */
const statement = (order: 'asc' | 'desc') => `
  select c.* from unnest($1::bigint[]) m (id) cross join lateral (
    select c.market_id, c.start, c.open_ticks, c.high_ticks, c.low_ticks, c.close_ticks,
      c.volume_lots
    from candles c
    where c.market_id = m.id and c.resolution = $2 and c.start >= $3 and c.start <= $4
    order by c.start ${order} limit $5
  ) c order by c.market_id, c.start`;

const STATEMENTS = { first: statement('asc'), last: statement('desc') };

export function candleTables(pool: Pick<Pool, 'query'>): CandleSource {
  return { read };

  async function read({ markets, range, resolution }: Parameters<CandleSource['read']>[0]) {
    const { fromMs, keep, limit, toMs } = range;
    const values = [markets, resolution, timeOf(fromMs), timeOf(toMs), limit];
    const { rows } = await pool.query<CandleRow>(STATEMENTS[keep], values);
    const candles = new Map<MarketId, ChartCandle[]>(markets.map((market) => [market, []]));
    for (const row of rows) candles.get(Number(row.market_id) as MarketId)?.push(candleOfRow(row));
    return candles;
  }
}

// The interface cannot express times after the year 9999.
const TIME_MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');

function timeOf(timeMs: number): string {
  if (timeMs === -Infinity) return '-infinity';
  return timeMs > TIME_MS_MAX ? 'infinity' : new Date(timeMs).toISOString();
}
