// Running bar of a chart, built from trades, because there is no candle topic. Coordinates are
// numbers; amounts to trade or pay never come from here.

export interface Bar {
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface BarTrade {
  readonly price: string;
  readonly size: string;
  readonly timestamp: string;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Weeks start on Monday; the epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export function barStart(timeMs: number, spanMs: number): number {
  const offset = spanMs === WEEK_MS ? FIRST_MONDAY_MS : 0;
  return Math.floor((timeMs - offset) / spanMs) * spanMs + offset;
}

/** Returns undefined if the trade is older than the bar, which already includes it. */
export function afterTrade(bar: Bar | undefined, trade: BarTrade, spanMs: number): Bar | undefined {
  const [price, size] = [Number(trade.price), Number(trade.size)];
  const timestamp = barStart(Date.parse(trade.timestamp), spanMs);
  if (bar !== undefined && timestamp < bar.timestamp) return undefined;
  if (bar === undefined || timestamp > bar.timestamp) {
    const open = bar?.close ?? price;
    const [high, low] = [Math.max(open, price), Math.min(open, price)];
    return { timestamp, open, high, low, close: price, volume: size };
  }
  return {
    ...bar,
    high: Math.max(bar.high, price),
    low: Math.min(bar.low, price),
    close: price,
    volume: bar.volume + size,
  };
}
