// Naive computation of candles: reads the trades of each period. Shares no period arithmetic with
// the exchange, and uses the calendar of Date.

import type { TradeExecuted } from '../../core/messages/index.ts';

/** A row of a naive table, by column. */
export type Row = Record<string, string | number | boolean | null>;

interface TimedTrade {
  readonly event: TradeExecuted;
  readonly timeMs: number;
}

const MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240 } as const;
const RESOLUTIONS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const;
type Resolution = (typeof RESOLUTIONS)[number];

export function naiveCandles(trades: readonly TimedTrade[]): Row[] {
  const periods = new Map<string, TimedTrade[]>();
  for (const trade of trades) {
    // A trade without orders is a direct trade.
    if (trade.event.takerOrder === 0) continue;
    for (const resolution of RESOLUTIONS) {
      const name = `${trade.event.market} ${resolution} ${startOf(resolution, trade.timeMs)}`;
      const period = periods.get(name);
      if (period === undefined) periods.set(name, [trade]);
      else period.push(trade);
    }
  }
  return [...periods].map(([name, period]) => candleOf(name, period));
}

function candleOf(name: string, period: readonly TimedTrade[]): Row {
  const [market_id, resolution, start] = name.split(' ');
  const prices = period.map(({ event }) => event.priceTicks as number);
  // House trades move the price but do not count as volume.
  const counted = period.filter(({ event }) => !event.house);
  const lots = counted.reduce((sum, { event }) => sum + BigInt(event.sizeLots), 0n);
  const quote = counted.reduce((sum, { event }) => sum + event.quoteAtoms, 0n);
  return {
    market_id,
    resolution,
    start,
    open_ticks: prices[0],
    close_ticks: prices[prices.length - 1],
    high_ticks: prices.reduce((a, b) => (a > b ? a : b)),
    low_ticks: prices.reduce((a, b) => (a < b ? a : b)),
    volume_lots: `${lots}`,
    quote_volume_atoms: `${quote}`,
    trade_count: counted.length,
  };
}

function startOf(resolution: Resolution, timeMs: number): string {
  const time = new Date(timeMs);
  time.setUTCSeconds(0, 0);
  if (resolution === '1d' || resolution === '1w') {
    time.setUTCHours(0, 0);
    while (resolution === '1w' && time.getUTCDay() !== 1) time.setUTCDate(time.getUTCDate() - 1);
  } else {
    const minutes = time.getUTCHours() * 60 + time.getUTCMinutes();
    time.setUTCHours(0, minutes - (minutes % MINUTES[resolution]));
  }
  return time.toISOString();
}
