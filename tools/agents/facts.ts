// Stylized facts of traded markets: each is measured and must be within its band. An agent market
// outside a band does not look like a real market.

import { percentile } from '../percentile.ts';
import type { MarketRecord, RecordedTrade } from './market-record.ts';
import {
  autocorrelation,
  correlation,
  deviation,
  kurtosis,
  mean,
  returns,
  tailIndex,
} from './series.ts';

export interface Fact {
  readonly name: string;
  readonly value: number;
  /** Inclusive limits. */
  readonly band: readonly [least: number, most: number];
}

const ANY = Number.POSITIVE_INFINITY;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `isShort` skips facts that need more than a few hours. */
export function factsOf(record: MarketRecord, isShort = false): Fact[] {
  return [
    ...returnFacts(record, isShort),
    ...tradeFacts(record, isShort),
    ...bookFacts(record),
    ...(isShort ? [] : dayFacts(record)),
  ];
}

export function outsideBand({ band: [least, most], value }: Fact): boolean {
  return !(value >= least && value <= most);
}

function returnFacts({ mids }: MarketRecord, isShort: boolean): Fact[] {
  const minute = returns(mids, MINUTE);
  const five = returns(mids, 5 * MINUTE);
  const absolute = minute.map(Math.abs);
  const memory = (lag: number) => autocorrelation(absolute, lag);
  return [
    fact('kurtosis of returns, 1 min', kurtosis(minute), isShort ? [3.5, 60] : [6, 60]),
    fact('kurtosis of returns, 5 min', kurtosis(five), isShort ? [2.5, 40] : [4, 25]),
    ...(isShort
      ? []
      : [fact('kurtosis of returns, 60 min', kurtosis(returns(mids, HOUR)), [1.8, 12])]),
    fact('tail index, 1 min', tailIndex(minute), isShort ? [1.5, 7] : [2, 4.5]),
    fact(
      'autocorrelation of returns, lag 1',
      autocorrelation(minute, 1),
      isShort ? [-0.25, 0.25] : [-0.12, 0.12],
    ),
    fact('autocorrelation of |returns|, lag 1', memory(1), [isShort ? 0.05 : 0.15, 1]),
    fact('autocorrelation of |returns|, lag 5', memory(5), [isShort ? 0 : 0.15, 1]),
    ...(isShort
      ? []
      : [
          fact('autocorrelation of |returns|, lag 30', memory(30), [0.05, 1]),
          fact('autocorrelation of |returns|, lag 60', memory(60), [0, 1]),
        ]),
  ];
}

function tradeFacts({ mids, startMs, trades }: MarketRecord, isShort: boolean): Fact[] {
  const orders = byOrder(trades);
  const changes = orders.slice(1).map((trade, at) => Math.log(trade.price / orders[at].price));
  const signs = orders.map(({ isBuy }) => (isBuy ? 1 : -1));
  const gaps = orders.slice(1).map((trade, at) => trade.timeMs - orders[at].timeMs);
  const absolute = returns(mids, 5 * MINUTE).map(Math.abs);
  const volumes = volumesOf(trades, startMs, 5 * MINUTE, absolute.length);
  return [
    fact('bounce from trade to trade', autocorrelation(changes, 1), [-0.45, -0.05]),
    fact('signs of takers, lag 1', autocorrelation(signs, 1), [0.08, 1]),
    fact('signs of takers, lag 10', autocorrelation(signs, 10), [isShort ? 0 : 0.02, 1]),
    ...(isShort ? [] : [fact('signs of takers, lag 50', autocorrelation(signs, 50), [0, 1])]),
    fact('variation of time between trades', deviation(gaps) / mean(gaps), [1.3, ANY]),
    fact('volume with |return|, 5 min', correlation(volumes, absolute), [isShort ? 0.15 : 0.25, 1]),
  ];
}

function bookFacts(record: MarketRecord): Fact[] {
  const { parityBps, spreadsBps } = record;
  // Without a value the fact must fail: NaN is in no band.
  const parity = (percent: number) =>
    parityBps.length === 0 ? Number.NaN : percentile(parityBps, percent);
  const cancelled = record.cancelled / (record.cancelled + record.filled);
  const median = record.lifeSeconds(0.5);
  const depth = averageDepth(record.depths);
  const deepest = depth.indexOf(Math.max(...depth));
  return [
    fact('spread p50, bps', percentile(spreadsBps, 50), [0.5, 3]),
    fact('spread p99, bps', percentile(spreadsBps, 99), [0, 15]),
    fact('resting orders that end canceled', cancelled, [0.93, 0.995]),
    fact('order life p50, s', median, [0.5, 20]),
    fact('order life p99 over p50', record.lifeSeconds(0.99) / median, [12, ANY]),
    fact('depth is largest at, bps', deepest + 1, [2, 20]),
    fact('triangular parity p50, bps', parity(50), [0, 5]),
    fact('triangular parity p95, bps', parity(95), [0, 8]),
    fact('commands without funds', record.refused, [0, 0]),
  ];
}

function dayFacts({ mids, startMs, trades }: MarketRecord): Fact[] {
  const counted = trades.map((trade) => ({ ...trade, size: 1 }));
  const hours = volumesOf(counted, startMs, HOUR, Math.round(mids.length / HOUR));
  const byHour = Array.from({ length: 24 }, (_, hour) =>
    mean(hours.filter((_count, at) => at % 24 === hour)),
  );
  const days = Math.round(mids.length / DAY);
  const ranges = Array.from({ length: days }, (_, day) => {
    const own = mids.slice(day * DAY, (day + 1) * DAY);
    const [least, most] = own.reduce(([a, b], p) => [Math.min(a, p), Math.max(b, p)], [ANY, 0]);
    return Math.log(most / least) * 100;
  });
  const perDay = deviation(returns(mids, 5 * MINUTE)) * Math.sqrt(DAY / (5 * MINUTE)) * 100;
  return [
    fact('busiest over quietest hour', Math.max(...byHour) / Math.min(...byHour), [2, 60]),
    fact('daily volatility, %', perDay, [1, 6]),
    fact('daily range, %', mean(ranges), [1, 8]),
  ];
}

function fact(name: string, value: number, band: Fact['band']): Fact {
  return { name, value, band };
}

/** Returns the first trade of each taker order. */
function byOrder(trades: readonly RecordedTrade[]): RecordedTrade[] {
  return trades.filter((trade, at) => at === 0 || trade.takerOrder !== trades[at - 1].takerOrder);
}

function volumesOf(
  trades: readonly RecordedTrade[],
  startMs: number,
  seconds: number,
  count: number,
): number[] {
  const sums = new Array<number>(count).fill(0);
  for (const { size, timeMs } of trades) {
    const at = Math.floor((timeMs - startMs) / (seconds * 1_000));
    if (at < count) sums[at] += size;
  }
  return sums;
}

function averageDepth(depths: readonly (readonly number[])[]): number[] {
  const filled = depths.filter((one) => one.length > 0);
  const [first = []] = filled;
  return first.map((_, at) => mean(filled.map((one) => one[at])));
}
