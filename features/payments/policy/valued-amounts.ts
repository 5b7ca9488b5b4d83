// Values and compares amounts in several currencies exactly. Limits and prices are decimals of any
// size and precision, as PostgreSQL prints them. They are only compared and never become amounts.

import {
  addDecimals,
  type Decimal,
  multiplyDecimals,
  parseDecimal,
} from '../../../core/money/index.ts';
import type { Prices } from '../../market-data/index.ts';

export interface CurrencyAmount {
  readonly currency: string;
  /** A string, like in all registry JSON. */
  readonly atoms: string;
  readonly scale: number;
}

const ONE: Decimal = { mantissa: 1n, scale: 0 };
const ZERO: Decimal = { mantissa: 0n, scale: 0 };

/** Returns undefined if a price is missing. */
export function totalOf(
  amounts: readonly CurrencyAmount[],
  currency: string,
  prices: Prices,
): Decimal | undefined {
  let sum = ZERO;
  for (const amount of amounts) {
    const price = priceOf(amount.currency, currency, prices);
    if (price === undefined) return undefined;
    const { atoms, scale } = amount;
    sum = addDecimals(sum, multiplyDecimals({ mantissa: BigInt(atoms), scale }, price));
  }
  return sum;
}

/**
 * Returns undefined without a price. A price of zero would exempt any amount, so it counts as
 * missing.
 */
export function priceOf(currency: string, quote: string, prices: Prices): Decimal | undefined {
  if (currency === quote) return ONE;
  if (!Object.hasOwn(prices, currency)) return undefined;
  const price = parseDecimal(prices[currency]);
  return price.mantissa > 0n ? price : undefined;
}
