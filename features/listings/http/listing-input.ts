// Parses the less strict parts of the bodies: fees by network, by pair and by tier. Pure.

import { atomsFromDecimal } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { WithdrawalFeeFields } from '../admin/coins.ts';
import type { Rates } from '../admin/fees.ts';

const DEFAULT_DECIMALS = 8;
const DECIMALS_MAX = 18;
/** Decimals to which two numbers are compared. */
const COMPARED_SCALE = 18;

/** Decimals of an increment. */
export function decimalsOf(increment: string | undefined): number {
  if (increment === undefined) return DEFAULT_DECIMALS;
  for (let scale = 0; scale <= DECIMALS_MAX; scale++) {
    if (atomsFromDecimal(increment, scale).ok) return scale;
  }
  return DEFAULT_DECIMALS;
}

export function sameDecimal(one: string, other: string): boolean {
  if (one === other) return true;
  const [left, right] = [one, other].map((text) => atomsFromDecimal(text, COMPARED_SCALE));
  return left.ok && right.ok && left.value === right.value;
}

type Given = Record<string, Record<string, unknown>>;
type Malformed = Refused<'request_invalid'>;

/** By network; a bare number is the value of a fee in the coin itself. */
export function withdrawalFees(
  coin: string,
  given: Given | null | undefined,
): Record<string, WithdrawalFeeFields> | Malformed | null | undefined {
  if (given === null || given === undefined) return given;
  const fees = new Map<string, WithdrawalFeeFields>();
  for (const [network, one] of Object.entries<unknown>(given)) {
    const fee = feeOf(coin, `withdrawal_fees.${network}`, one);
    if (fee instanceof Refused) return fee;
    fees.set(network, fee);
  }
  return Object.fromEntries(fees);
}

function feeOf(coin: string, field: string, given: unknown): WithdrawalFeeFields | Malformed {
  const fee = isDecimal(given) ? { value: given } : given;
  if (!isObject(fee) || !isDecimal(fee.value)) return invalid(field);
  const { active = true, symbol = coin, type = 'static' } = fee;
  const isValid =
    typeof active === 'boolean' && typeof symbol === 'string' && typeof type === 'string';
  if (!isValid) return invalid(field);
  const min = bound(`${field}.min`, fee.min);
  if (min instanceof Refused) return min;
  const max = bound(`${field}.max`, fee.max);
  if (max instanceof Refused) return max;
  return { value: `${fee.value}`, symbol: symbol.toLowerCase(), active, type, min, max };
}

function bound(field: string, given: unknown): string | Malformed | null {
  if (given === null || given === undefined) return null;
  return isDecimal(given) ? `${given}` : invalid(field);
}

/** By pair and tier; with `pair`, the fees are by tier. */
export function pairFees({
  fees,
  pair,
}: {
  readonly fees: Given;
  readonly pair?: string;
}): Record<string, Record<string, Rates>> | Malformed {
  const byPair: Record<string, unknown> = pair === undefined ? fees : { [pair]: fees };
  const read = new Map<string, Record<string, Rates>>();
  for (const [symbol, byTier] of Object.entries(byPair)) {
    if (!isObject(byTier)) return invalid(`fees.${symbol}`);
    const rates = new Map<string, Rates>();
    for (const [tier, one] of Object.entries(byTier)) {
      const field = `fees.${symbol}.${tier}`;
      if (!isObject(one) || !isDecimal(one.maker) || !isDecimal(one.taker)) return invalid(field);
      rates.set(tier, { maker: `${one.maker}`, taker: `${one.taker}` });
    }
    read.set(symbol.toLowerCase(), Object.fromEntries(rates));
  }
  return Object.fromEntries(read);
}

type Side = Readonly<Record<string, number | string>>;

export function tierFees({ maker, taker }: { readonly maker: Side; readonly taker: Side }) {
  const texts = (side: Side) =>
    Object.fromEntries(
      Object.entries(side).map(([symbol, rate]) => [symbol.toLowerCase(), `${rate}`]),
    );
  return { maker: texts(maker), taker: texts(taker) };
}

function isDecimal(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(field: string): Malformed {
  return new Refused('request_invalid', { detail: `${field} is malformed` });
}
