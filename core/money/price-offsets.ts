// Prices a given share above or below another: the edges of price bands and slippage caps. Both
// round towards the starting price, so an edge is never outside the allowed share.

import type { Ppm, Ticks } from './units.ts';
import { ONE_MILLION_PPM } from './units.ts';

const NO_BAND = { highestTicks: Number.MAX_SAFE_INTEGER as Ticks, lowestTicks: 0 as Ticks };

/** floor(ticks × (1,000,000 + ppm) ÷ 1,000,000), at most the largest safe integer. */
export function ticksUp(ticks: Ticks, ppm: Ppm): Ticks {
  const product = ticks * (ONE_MILLION_PPM + ppm);
  // A quotient of safe integers never rounds onto the next whole number, so floor is exact.
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / ONE_MILLION_PPM) as Ticks;
  const exact = (BigInt(ticks) * BigInt(ONE_MILLION_PPM + ppm)) / BigInt(ONE_MILLION_PPM);
  return Math.min(Number(exact), Number.MAX_SAFE_INTEGER) as Ticks;
}

/** The highest buy and the lowest sell of a band; without a reference or a band, no limit. */
export function bandEdges(
  referenceTicks: Ticks,
  bandPpm: Ppm,
): { readonly highestTicks: Ticks; readonly lowestTicks: Ticks } {
  if (bandPpm === 0 || referenceTicks === 0) return NO_BAND;
  const highestTicks = ticksUp(referenceTicks, bandPpm);
  return { highestTicks, lowestTicks: ticksDown(referenceTicks, bandPpm) };
}

/** ceil(ticks × (1,000,000 − ppm) ÷ 1,000,000), for ppm from 0 to 1,000,000. */
export function ticksDown(ticks: Ticks, ppm: Ppm): Ticks {
  const product = ticks * (ONE_MILLION_PPM - ppm);
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / ONE_MILLION_PPM) as Ticks;
  const million = BigInt(ONE_MILLION_PPM);
  return Number((BigInt(ticks) * BigInt(ONE_MILLION_PPM - ppm) + million - 1n) / million) as Ticks;
}
