// Points of the depth chart: both sides up to the range of the shorter side.

import type { Level } from './book-view.ts';

export interface DepthPoints {
  readonly prices: number[];
  readonly bids: (number | null)[];
  readonly asks: (number | null)[];
}

const LEVELS_MAX = 300;
/** A side with a wider range than this share of the price would hide the middle. */
const DISTANCE_MAX = 0.05;

export function depthPoints(book: {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}): DepthPoints {
  const middle = (Number(book.bids[0]?.[0]) + Number(book.asks[0]?.[0])) / 2;
  const distance = ([price]: Level) => Math.abs(Number(price) - middle);
  const reach = (levels: readonly Level[]) =>
    Math.max(0, ...levels.map(distance).filter((one) => one <= middle * DISTANCE_MAX));
  const nearest = Math.min(reach(book.bids), reach(book.asks));
  const isNear = (level: Level) => Number.isNaN(middle) || distance(level) <= nearest;
  const bids = running(book.bids.filter(isNear)).reverse();
  const asks = running(book.asks.filter(isNear));
  return {
    prices: [...bids, ...asks].map(([price]) => price),
    bids: [...bids.map(([, total]) => total), ...asks.map(() => null)],
    asks: [...bids.map(() => null), ...asks.map(([, total]) => total)],
  };
}

function running(levels: readonly Level[]): [price: number, total: number][] {
  let total = 0;
  return levels.slice(0, LEVELS_MAX).map(([price, size]) => {
    total += Number(size);
    return [Number(price), total];
  });
}
