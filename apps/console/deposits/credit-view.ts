// A credit by hand before it is sent: its value, its share of all coins of its kind, how much of
// the issuance cap it takes, and how many other people must agree at least.

import { add, compare, divide, isPositive, isZero, multiply } from '../../decimals/index.ts';

export interface CreditInput {
  readonly amount: string;
  /** Of one coin, in the currency of the thresholds. */
  readonly price: string | undefined;
  /** All coins of this kind that users hold. */
  readonly holdings: string | undefined;
  readonly cap: string | undefined;
  readonly thresholds: { readonly one: string; readonly two: string } | undefined;
}

export interface CreditEffect {
  readonly value: string | undefined;
  /** `0.004` is 0.4 %. */
  readonly share: string | undefined;
  readonly capShare: string | undefined;
  readonly isOverCap: boolean;
  /** Undefined if the thresholds are not known. The sums of a day may ask for more. */
  readonly people: 0 | 1 | 2 | undefined;
}

const RATIO_SCALE = 6;

/** Undefined without an amount. */
export function creditEffect(input: CreditInput): CreditEffect | undefined {
  const { amount, cap, holdings } = input;
  if (!isPositive(amount)) return undefined;
  const isPriced = input.price !== undefined && isPositive(input.price);
  const value = isPriced ? multiply(amount, input.price ?? '0') : undefined;
  const after = add(holdings ?? '0', amount);
  const isCapped = cap !== undefined && !isZero(cap) && holdings !== undefined;
  return {
    value,
    share: ratio(amount, holdings),
    capShare: isCapped ? ratio(after, cap) : undefined,
    isOverCap: isCapped && compare(after, cap) > 0,
    people: peopleFor(value, input.thresholds),
  };
}

function ratio(part: string, whole: string | undefined): string | undefined {
  if (whole === undefined || isZero(whole)) return undefined;
  return divide(part, whole, { scale: RATIO_SCALE, rounding: 'up' });
}

/** A coin without a price needs two people. */
function peopleFor(
  value: string | undefined,
  thresholds: CreditInput['thresholds'],
): 0 | 1 | 2 | undefined {
  if (thresholds === undefined) return undefined;
  if (value === undefined || compare(value, thresholds.two) >= 0) return 2;
  return compare(value, thresholds.one) >= 0 ? 1 : 0;
}
