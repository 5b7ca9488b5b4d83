// Rates that a user pays in a market, as the engine charges them.

import type { Tier } from '../../client/index.ts';
import { divide, isZero, multiply, subtract, trimmed } from '../decimals/index.ts';

/** In percent. */
export interface FeeRates {
  readonly maker: string;
  readonly taker: string;
  /** Discount included in both rates; '0' without one. */
  readonly discount: string;
}

/** Returns undefined if the tier has no fees for the market. */
export function feeRates(
  tier: Pick<Tier, 'fees'> | undefined,
  symbol: string,
  discount: string,
): FeeRates | undefined {
  const maker = tier?.fees.maker[symbol] ?? tier?.fees.maker.default;
  const taker = tier?.fees.taker[symbol] ?? tier?.fees.taker.default;
  if (maker === undefined || taker === undefined) return undefined;
  return {
    maker: discounted(maker, discount),
    taker: discounted(taker, discount),
    discount: isZero(discount) ? '0' : trimmed(discount),
  };
}

/** Applies a discount and rounds up to a whole millionth, which is 0.0001 percent. */
function discounted(rate: string, discount: string): string {
  if (isZero(discount)) return rate;
  const part = multiply(rate, subtract('100', discount));
  return trimmed(divide(part, '100', { scale: 4, rounding: 'up' }));
}
