// Bars of a chart: the running one, built from trades, because there is no candle topic, and flat
// ones for periods without trades. Coordinates are numbers; amounts to trade or pay never come from
// here.

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

/** Returns flat bars for the periods after `bar`, up to the one that contains `untilMs`. */
export function flatBars(bar: Bar, untilMs: number, spanMs: number): Bar[] {
  const bars: Bar[] = [];
  const { close } = bar;
  const last = barStart(untilMs, spanMs);
  for (let timestamp = bar.timestamp + spanMs; timestamp <= last; timestamp += spanMs) {
    bars.push({ timestamp, open: close, high: close, low: close, close, volume: 0 });
  }
  return bars;
}

/**
 * Returns one bar for each period, oldest first: the exchange leaves out periods without trades,
 * and indicators count bars.
 */
export function withoutGaps(bars: readonly Bar[], untilMs: number, spanMs: number): Bar[] {
  return bars.flatMap((bar, at) => {
    const endMs = at + 1 < bars.length ? bars[at + 1].timestamp - 1 : untilMs;
    return [bar, ...flatBars(bar, endMs, spanMs)];
  });
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
