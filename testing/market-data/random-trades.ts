// Random trades in one market over days and weeks: bursts, quiet nights, long gaps, and moments at
// the boundaries of minutes, days, weeks and months. The same seed returns the same trades.

import type { MarketTrade } from '../../core/market-data/index.ts';
import { Random } from '../flows/index.ts';
import { fromPlain } from './from-plain.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
// A Thursday. The leap day, the end of a month and a Sunday are near.
const FIRST_MS = Date.UTC(2024, 1, 29, 20);

export function randomTrades(seed: number, count: number): MarketTrade[] {
  const random = new Random(seed);
  const trades: MarketTrade[] = [];
  let timeMs = FIRST_MS + random.below(DAY_MS);
  let priceTicks = random.between(50, 5_000);
  for (let trade = 1; trade <= count; trade += 1) {
    timeMs = nextTimeMs(random, timeMs);
    priceTicks = Math.max(1, priceTicks + random.between(-9, 9));
    // Some are so large that the sum of two is not a safe integer.
    const isHuge = random.chance(2);
    const sizeLots = isHuge ? Number.MAX_SAFE_INTEGER - random.below(9) : random.between(1, 900);
    const made = fromPlain<MarketTrade>({
      trade,
      market: 1,
      timeMs,
      priceTicks,
      sizeLots,
      house: random.chance(15),
      takerSide: random.chance(50) ? 'buy' : 'sell',
      quoteAtoms: BigInt(sizeLots) * BigInt(priceTicks),
    });
    trades.push(made);
  }
  return trades;
}

function nextTimeMs(random: Random, timeMs: number): number {
  const dice = random.below(100);
  if (dice < 30) return timeMs;
  if (dice < 70) return timeMs + random.below(2 * MINUTE_MS);
  if (dice < 88) return timeMs + random.below(3 * HOUR_MS);
  if (dice < 94) return timeMs + random.below(2 * DAY_MS);
  // The last millisecond before a boundary, or the first after it.
  const [, edgeMs] = random.pick([
    ['minute', MINUTE_MS],
    ['hour', HOUR_MS],
    ['day', DAY_MS],
    ['window of a ticker', 24 * HOUR_MS],
  ] as const);
  const next = (Math.floor(timeMs / edgeMs) + 1) * edgeMs - random.below(2);
  return Math.max(timeMs, next);
}
