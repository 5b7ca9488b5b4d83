// The amount and unit that a voter types again. Number and unit count, not their spelling.

import { compareDecimals, type Decimal, parseDecimal } from '../../core/money/index.ts';

/** A number without a sign, an exponent or marks between thousands, a blank, and a unit. */
const AMOUNT = /^(\d+(?:\.\d+)?) (\S+)$/;

/** Whether both name the same amount of the same unit. */
export function isSameAmount(one: string, other: string): boolean {
  const [first, second] = [amountOf(one), amountOf(other)];
  if (first === undefined || second === undefined || first.unit !== second.unit) return false;
  return compareDecimals(first.number, second.number) === 0;
}

function amountOf(text: string): { readonly number: Decimal; readonly unit: string } | undefined {
  const [, number, unit] = AMOUNT.exec(text.trim().toLowerCase().replace(/\s+/g, ' ')) ?? [];
  return number === undefined ? undefined : { number: parseDecimal(number), unit };
}
