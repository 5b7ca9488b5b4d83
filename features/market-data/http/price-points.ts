// Prices over time along a path of markets: each market keeps its price until its next one, and
// there is a point at each change. Pure.

import {
  type PricedMarket,
  type PriceRoute,
  priceAlong,
  type Ratio,
} from '../../../core/market-data/index.ts';

export interface PricePoint {
  readonly timeMs: number;
  readonly price: Ratio;
}

/** The points of each market are in order of time. */
export function pointsAlong<Market extends PricedMarket>(
  route: PriceRoute<Market>,
  pointsOf: (market: Market) => readonly PricePoint[],
): PricePoint[] {
  const moves = route
    .flatMap(({ market }) => pointsOf(market).map((point) => ({ market, ...point })))
    .sort((first, second) => first.timeMs - second.timeMs);
  const prices = new Map<Market, Ratio>();
  const points: PricePoint[] = [];
  moves.forEach(({ market, price, timeMs }, at) => {
    prices.set(market, price);
    // Changes at the same time are one point.
    if (moves[at + 1]?.timeMs === timeMs) return;
    const along = priceAlong(route, (one) => prices.get(one));
    if (along !== undefined) points.push({ timeMs, price: along });
  });
  return points;
}
