// Amounts of several currencies, valued and compared exactly. Limits and prices are decimals of any
// size and precision, as PostgreSQL prints them: they are only compared, and never become amounts.

import type { Prices } from '../../market-data/index.ts';

export interface CurrencyAmount {
  readonly currency: string;
  /** A string, as in every JSON of the registry. */
  readonly atoms: string;
  readonly scale: number;
}

/** Exactly mantissa × 10^-scale. */
export interface Decimal {
  readonly mantissa: bigint;
  readonly scale: number;
}

const ONE: Decimal = { mantissa: 1n, scale: 0 };
const ZERO: Decimal = { mantissa: 0n, scale: 0 };

/** Undefined if a price is missing. */
export function totalOf(
  amounts: readonly CurrencyAmount[],
  currency: string,
  prices: Prices,
): Decimal | undefined {
  let sum = ZERO;
  for (const amount of amounts) {
    const price = priceOf(amount.currency, currency, prices);
    if (price === undefined) return undefined;
    const mantissa = BigInt(amount.atoms) * price.mantissa;
    sum = plus(sum, { mantissa, scale: amount.scale + price.scale });
  }
  return sum;
}

/** Undefined without a price. A price of zero would exempt any amount, so it is none. */
export function priceOf(currency: string, quote: string, prices: Prices): Decimal | undefined {
  if (currency === quote) return ONE;
  if (!Object.hasOwn(prices, currency)) return undefined;
  const price = decimalOf(prices[currency]);
  return price.mantissa > 0n ? price : undefined;
}

function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { mantissa: atScale(one, scale) + atScale(other, scale), scale };
}

/** Below 0, 0 or above 0, as `one` is less than, equal to or more than `other`. */
export function compare(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const [first, second] = [atScale(one, scale), atScale(other, scale)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function atScale({ mantissa, scale }: Decimal, wanted: number): bigint {
  return mantissa * 10n ** BigInt(wanted - scale);
}

/** Throws RangeError if the text is not a plain decimal. */
export function decimalOf(text: string): Decimal {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`expected a decimal, got '${text}'`);
  return { mantissa: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

export function decimalText({ mantissa, scale }: Decimal): string {
  const sign = mantissa < 0n ? '-' : '';
  const digits = `${mantissa < 0n ? -mantissa : mantissa}`.padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
