// A slow and simple implementation of candles and tickers: every query scans all trades. Imports no
// arithmetic from the package under test.

import type { Candle, MarketTrade, Resolution } from '../../core/market-data/index.ts';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 1_440;

/** Returns the start of a candle, by the machine's calendar. */
export function naiveStartMs(resolution: Resolution, timeMs: number): number {
  const date = new Date(timeMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
  switch (resolution) {
    case '1m':
      return Date.UTC(year, month, day, hour, minute);
    case '5m':
      return Date.UTC(year, month, day, hour, minute - (minute % 5));
    case '15m':
      return Date.UTC(year, month, day, hour, minute - (minute % 15));
    case '1h':
      return Date.UTC(year, month, day, hour);
    case '4h':
      return Date.UTC(year, month, day, hour - (hour % 4));
    case '1d':
      return Date.UTC(year, month, day);
    case '1w':
      // getUTCDay counts from Sunday.
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
  }
}

export function naiveCandles(resolution: Resolution, trades: readonly MarketTrade[]): Candle[] {
  const starts = new Set(trades.map(({ timeMs }) => naiveStartMs(resolution, timeMs)));
  return [...starts].map((startMs) => {
    const inside = trades.filter(({ timeMs }) => naiveStartMs(resolution, timeMs) === startMs);
    return { startMs, ...pricesOf(inside), ...volumesOf(inside) } as Candle;
  });
}

export interface NaiveTicker {
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lastTicks: number;
  readonly volumeLots: bigint;
  readonly quoteVolumeAtoms: bigint;
  readonly tradeCount: number;
}

/** Returns the ticker for trades up to `atMs`, or undefined before the first trade. */
export function naiveTicker(trades: readonly MarketTrade[], atMs: number): NaiveTicker | undefined {
  const last = trades.at(-1);
  if (last === undefined) return undefined;
  const firstMinute = Math.floor(atMs / MINUTE_MS) - (WINDOW_MINUTES - 1);
  const inside = trades.filter(({ timeMs }) => Math.floor(timeMs / MINUTE_MS) >= firstMinute);
  const { closeTicks: lastTicks, ...prices } = pricesOf(inside.length > 0 ? inside : [last]);
  return { ...prices, lastTicks, ...volumesOf(inside) };
}

function pricesOf(trades: readonly MarketTrade[]) {
  const prices = trades.map(({ priceTicks }) => priceTicks);
  return {
    openTicks: prices[0],
    highTicks: prices.toSorted((a, b) => b - a)[0],
    lowTicks: prices.toSorted((a, b) => a - b)[0],
    closeTicks: prices[prices.length - 1],
  };
}

function volumesOf(trades: readonly MarketTrade[]) {
  const counted = trades.filter(({ house }) => !house);
  return {
    volumeLots: counted.reduce((sum, { sizeLots }) => sum + BigInt(sizeLots), 0n),
    quoteVolumeAtoms: counted.reduce((sum, { quoteAtoms }) => sum + quoteAtoms, 0n),
    tradeCount: counted.length,
  };
}
