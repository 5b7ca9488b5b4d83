// A batch's candle changes: trades become one-minute candles, and the write merges these into
// longer ones. An existing candle is extended.

import {
  type Candle,
  candleOfTrade,
  candleStartMs,
  joined,
  type MarketTrade,
  mergeCandles,
  RESOLUTIONS,
} from '../../core/market-data/index.ts';
import { type Connection, columnArrays } from '../../infra/postgres/index.ts';

const UPSERT = `
  insert into candles (market_id, resolution, start, open_ticks, high_ticks, low_ticks, close_ticks,
    volume_lots, quote_volume_atoms, trade_count)
  select * from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[],
    $6::bigint[], $7::bigint[], $8::numeric[], $9::numeric[], $10::bigint[])
  on conflict (market_id, resolution, start) do update set
    high_ticks = greatest(candles.high_ticks, excluded.high_ticks),
    low_ticks = least(candles.low_ticks, excluded.low_ticks),
    close_ticks = excluded.close_ticks,
    volume_lots = candles.volume_lots + excluded.volume_lots,
    quote_volume_atoms = candles.quote_volume_atoms + excluded.quote_volume_atoms,
    trade_count = candles.trade_count + excluded.trade_count`;

const COLUMNS = [
  'market',
  'resolution',
  'start',
  'open',
  'high',
  'low',
  'close',
  'lots',
  'quote',
  'count',
] as const;

export class CandleChanges {
  /** By market, in time order. */
  readonly #minutes = new Map<number, Candle[]>();

  add(trade: MarketTrade): void {
    let minutes = this.#minutes.get(trade.market);
    if (minutes === undefined) this.#minutes.set(trade.market, (minutes = []));
    const added = candleOfTrade(trade, candleStartMs('1m', trade.timeMs));
    const last = minutes.at(-1);
    if (last?.startMs === added.startMs) minutes[minutes.length - 1] = joined(last, added);
    else minutes.push(added);
  }

  async write(connection: Connection): Promise<void> {
    if (this.#minutes.size === 0) return;
    const columns = columnArrays(COLUMNS);
    for (const [market, minutes] of this.#minutes) {
      for (const resolution of RESOLUTIONS) {
        for (const candle of mergeCandles(resolution, minutes)) {
          columns.market.add(market);
          columns.resolution.add(resolution);
          columns.start.addTime(candle.startMs);
          columns.open.add(candle.openTicks);
          columns.high.add(candle.highTicks);
          columns.low.add(candle.lowTicks);
          columns.close.add(candle.closeTicks);
          columns.lots.add(candle.volumeLots);
          columns.quote.add(candle.quoteVolumeAtoms);
          columns.count.add(candle.tradeCount);
        }
      }
    }
    const values = Object.values(columns).map(({ literal }) => literal);
    await connection.query({ name: 'candles', text: UPSERT, values });
  }
}
