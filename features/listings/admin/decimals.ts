// Decimals in action payloads: texts that are exact at a scale.

import { type Atoms, atomsFromDecimal, type Ppm } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

/** Rates are in percent, with at most four decimals. */
const PERCENT_DIGITS = 4;
/** Decimals of a price that is only shown or used for values. */
const PRICE_SCALE = 18;

/** A field that an operator cannot set to this value. */
export type FieldRefused = Refused<'market_field_invalid'>;

/** A rejection names the field. */
export function atomsOf(field: string, text: string, scale: number): Atoms | FieldRefused {
  const atoms = atomsFromDecimal(text, scale);
  return atoms.ok ? atoms.value : invalidField(field, atoms.problem);
}

/** Rejects anything but a non-negative decimal with at most 18 decimals. */
export function checkPrice(
  field: string,
  text: string | null | undefined,
): FieldRefused | undefined {
  if (text === null || text === undefined) return undefined;
  const price = atomsFromDecimal(text, PRICE_SCALE);
  // A price can be larger than an amount; only its form counts.
  if (price.ok || price.problem === 'too_large') return undefined;
  return invalidField(field, price.problem);
}

/** Percent as millionths. */
export function ppmOf(field: string, percent: string, maxPpm: number): Ppm | FieldRefused {
  const ppm = atomsFromDecimal(percent, PERCENT_DIGITS);
  if (!ppm.ok) return invalidField(field, ppm.problem);
  if (ppm.value > BigInt(maxPpm)) {
    return invalidField(field, `more than ${maxPpm / 10 ** PERCENT_DIGITS}%`);
  }
  return Number(ppm.value) as Ppm;
}

export function invalidField(field: string, problem: string): FieldRefused {
  return new Refused('market_field_invalid', { field, problem: problem.replaceAll('_', ' ') });
}
