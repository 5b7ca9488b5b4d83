// Estimates an order against the shown book: average and worst price, and the distance of the
// average from the best price. The book can change before the order arrives.

import {
  add,
  compare,
  divide,
  isZero,
  least,
  multiply,
  scaleOf,
  subtract,
  toIncrement,
  trimmed,
} from '../../decimals/index.ts';
import type { Level, Side } from './book-view.ts';

export interface FillEstimate {
  readonly size: string;
  /** Exact cost or proceeds in the quote currency, before fees. */
  readonly value: string;
  /** Undefined if nothing would fill. */
  readonly average: string | undefined;
  readonly worst: string | undefined;
  /** Distance of the average from the best price, as a ratio; positive means worse. */
  readonly slippage: string | undefined;
  /** Whether the full size would fill immediately. */
  readonly isComplete: boolean;
}

export interface Taker {
  readonly side: Side;
  readonly size: string;
  /** Limit price; undefined for a market order. */
  readonly price?: string | undefined;
}

/** `opposite` is the side of the book that the order trades against, best first. */
export function estimateFill(opposite: readonly Level[], taker: Taker): FillEstimate {
  let left = taker.size;
  let size = '0';
  let value = '0';
  let worst: string | undefined;
  for (const [price, available] of opposite) {
    if (isZero(left) || !isAcceptable(price, taker)) break;
    const fill = least(left, available);
    size = add(size, fill);
    value = add(value, multiply(price, fill));
    left = subtract(left, fill);
    worst = price;
  }
  if (worst === undefined) {
    const [average, slippage] = [undefined, undefined];
    return { size: '0', value: '0', average, worst, slippage, isComplete: false };
  }
  const best = opposite[0][0];
  const average = divide(value, size, { scale: Math.max(scaleOf(best) + 2, scaleOf(worst)) });
  const distance = taker.side === 'buy' ? subtract(average, best) : subtract(best, average);
  return {
    size: trimmed(size),
    value: trimmed(value),
    average,
    worst,
    slippage: divide(distance, best, { scale: 6 }),
    isComplete: isZero(left),
  };
}

function isAcceptable(price: string, { price: limit, side }: Taker): boolean {
  if (limit === undefined) return true;
  const order = compare(price, limit);
  return side === 'buy' ? order <= 0 : order >= 0;
}

/** Returns the largest size, in whole lots, that this quote amount buys from the book. */
export function sizeForValue(
  asks: readonly Level[],
  { lot, value }: { value: string; lot: string },
): string {
  let left = value;
  let size = '0';
  for (const [price, available] of asks) {
    const cost = multiply(price, available);
    if (compare(cost, left) <= 0) {
      size = add(size, available);
      left = subtract(left, cost);
      continue;
    }
    return toIncrement(add(size, divide(left, price, { scale: 18 })), lot);
  }
  return toIncrement(size, lot);
}
