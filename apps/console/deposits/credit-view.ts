// Preview of a manual credit: its value, its share of all user holdings of the asset, how much of
// the issuance cap it takes, and the minimum number of approvals.

import { add, compare, divide, isPositive, isZero, multiply } from '../../decimals/index.ts';

export interface CreditInput {
  readonly amount: string;
  /** Price of one unit, in the currency of the thresholds. */
  readonly price: string | undefined;
  /** Total of this asset that users hold. */
  readonly holdings: string | undefined;
  readonly cap: string | undefined;
  readonly thresholds: { readonly one: string; readonly two: string } | undefined;
}

export interface CreditEffect {
  readonly value: string | undefined;
  /** For example, `0.004` is 0.4%. */
  readonly share: string | undefined;
  readonly capShare: string | undefined;
  readonly isOverCap: boolean;
  /** Undefined if the thresholds are unknown. The daily totals might require more approvals. */
  readonly people: 0 | 1 | 2 | undefined;
}

const RATIO_SCALE = 6;

/** Returns undefined without an amount. */
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

/** An asset without a price needs two approvals. */
function peopleFor(
  value: string | undefined,
  thresholds: CreditInput['thresholds'],
): 0 | 1 | 2 | undefined {
  if (thresholds === undefined) return undefined;
  if (value === undefined || compare(value, thresholds.two) >= 0) return 2;
  return compare(value, thresholds.one) >= 0 ? 1 : 0;
}
