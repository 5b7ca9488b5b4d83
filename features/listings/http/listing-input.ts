// Reads the freer parts of the bodies: fees by network, by pair and by tier. Pure.

import { atomsFromDecimal } from '../../../core/money/index.ts';
import { ApiRefusal } from '../../../platform/http/index.ts';
import type { WithdrawalFeeFields } from '../admin/coins.ts';
import type { Rates } from '../admin/fees.ts';

const DEFAULT_DECIMALS = 8;
const DECIMALS_MAX = 18;
/** The digits to which two decimals are compared. */
const COMPARED_SCALE = 18;

/** The digits after the point of an increment. */
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

/** By network; a bare number is the value of a fee in the coin itself. */
export function withdrawalFees(
  coin: string,
  given: Given | null | undefined,
): Record<string, WithdrawalFeeFields> | null | undefined {
  if (given === null || given === undefined) return given;
  return Object.fromEntries(
    Object.entries(given).map(([network, fee]: [string, unknown]) => [
      network,
      feeOf(coin, `withdrawal_fees.${network}`, fee),
    ]),
  );
}

function feeOf(coin: string, field: string, given: unknown): WithdrawalFeeFields {
  const fee = isDecimal(given) ? { value: given } : given;
  if (!isObject(fee) || !isDecimal(fee.value)) throw invalid(field);
  const { active = true, max = null, min = null, symbol = coin, type = 'static' } = fee;
  const isValid =
    typeof active === 'boolean' && typeof symbol === 'string' && typeof type === 'string';
  if (!isValid) throw invalid(field);
  return {
    value: `${fee.value}`,
    symbol: symbol.toLowerCase(),
    active,
    type,
    min: bound(`${field}.min`, min),
    max: bound(`${field}.max`, max),
  };
}

function bound(field: string, given: unknown): string | null {
  if (given === null) return null;
  if (!isDecimal(given)) throw invalid(field);
  return `${given}`;
}

/** By pair and tier; with `pair`, the fees are by tier. */
export function pairFees({
  fees,
  pair,
}: {
  readonly fees: Given;
  readonly pair?: string;
}): Record<string, Record<string, Rates>> {
  const byPair: Record<string, unknown> = pair === undefined ? fees : { [pair]: fees };
  return Object.fromEntries(
    Object.entries(byPair).map(([symbol, byTier]) => {
      if (!isObject(byTier)) throw invalid(`fees.${symbol}`);
      const rates = Object.entries(byTier).map(([tier, one]) => {
        const field = `fees.${symbol}.${tier}`;
        if (!isObject(one) || !isDecimal(one.maker) || !isDecimal(one.taker)) throw invalid(field);
        return [tier, { maker: `${one.maker}`, taker: `${one.taker}` }] as const;
      });
      return [symbol.toLowerCase(), Object.fromEntries(rates)];
    }),
  );
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

function invalid(field: string): ApiRefusal {
  return new ApiRefusal('request_invalid', { detail: `${field} is malformed` });
}
