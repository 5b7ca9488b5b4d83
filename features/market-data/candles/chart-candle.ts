// A candle for charts, in whole numbers, read from the feed's JSON or from rows. Must not depend on
// where candles are stored.

import {
  type LotSize,
  type TickSize,
  type Ticks,
  type TimeMs,
  ticksFromDecimal,
} from '../../../core/money/index.ts';

export interface ChartCandle {
  readonly startMs: TimeMs;
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly closeTicks: Ticks;
  readonly volumeLots: bigint;
}

/** Market fields needed by its candles. */
export interface CandleUnits {
  readonly tick: TickSize;
  readonly lot: LotSize;
}

/** Rows contain 64-bit numbers and decimals as texts. */
export interface CandleRow {
  readonly market_id: string;
  readonly start: Date;
  readonly open_ticks: string;
  readonly high_ticks: string;
  readonly low_ticks: string;
  readonly close_ticks: string;
  readonly volume_lots: string;
}

export function candleOfRow(row: CandleRow): ChartCandle {
  return {
    startMs: row.start.getTime() as TimeMs,
    openTicks: Number(row.open_ticks) as Ticks,
    highTicks: Number(row.high_ticks) as Ticks,
    lowTicks: Number(row.low_ticks) as Ticks,
    closeTicks: Number(row.close_ticks) as Ticks,
    volumeLots: BigInt(row.volume_lots),
  };
}

interface FeedCandle {
  readonly time: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** Returns a market's last candles in the feed, oldest first. */
export function candlesOfFeed(text: string, units: CandleUnits): ChartCandle[] {
  const candles = parseWithDigits(text) as FeedCandle[];
  return candles.map((candle) => ({
    startMs: Date.parse(candle.time) as TimeMs,
    openTicks: ticksOf(candle.open, units),
    highTicks: ticksOf(candle.high, units),
    lowTicks: ticksOf(candle.low, units),
    closeTicks: ticksOf(candle.close, units),
    volumeLots: lotsOf(candle.volume, units),
  }));
}

function ticksOf(text: string, { tick }: CandleUnits): Ticks {
  const ticks = ticksFromDecimal(text, tick);
  if (!ticks.ok) throw new RangeError(`the feed's price ${text} is ${ticks.problem}`);
  return ticks.value;
}

// A volume is a total, which can exceed the maximum amount.
function lotsOf(text: string, { lot }: CandleUnits): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(lot.scale, '0')) / lot.atoms;
}

// TypeScript's types lack the third parameter.
type Revive = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const parse = JSON.parse as (text: string, revive: Revive) => unknown;

/** Parses JSON and keeps the source text of its numbers, so none becomes a float. */
export function parseWithDigits(text: string): unknown {
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value));
}
