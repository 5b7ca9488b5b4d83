// Decimals in the payloads of acts: texts that are exact at a scale.

import { type Atoms, atomsFromDecimal, type Ppm } from '../../../core/money/index.ts';
import { ActRefused } from '../../approvals/index.ts';

/** Rates are in percent, with at most four digits after the point. */
const PERCENT_DIGITS = 4;
/** The digits after the point of a price that is only shown or used for values. */
const PRICE_SCALE = 18;

/** Throws a refusal that names the field. */
export function atomsOf(field: string, text: string, scale: number): Atoms {
  const atoms = atomsFromDecimal(text, scale);
  if (atoms.ok) return atoms.value;
  throw invalidField(field, atoms.problem);
}

/** Throws unless the text is a decimal, not negative, with at most 18 digits after the point. */
export function checkPrice(field: string, text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const price = atomsFromDecimal(text, PRICE_SCALE);
  // A price may be larger than an amount: only its form counts.
  if (!price.ok && price.problem !== 'too_large') throw invalidField(field, price.problem);
}

/** Percent as millionths. */
export function ppmOf(field: string, percent: string, maxPpm: number): Ppm {
  const ppm = atomsFromDecimal(percent, PERCENT_DIGITS);
  if (!ppm.ok) throw invalidField(field, ppm.problem);
  if (ppm.value > BigInt(maxPpm)) {
    throw new ActRefused('market_field_invalid', {
      field,
      problem: `more than ${maxPpm / 10 ** PERCENT_DIGITS} percent`,
    });
  }
  return Number(ppm.value) as Ppm;
}

export function invalidField(field: string, problem: string): ActRefused {
  return new ActRefused('market_field_invalid', {
    field,
    problem: problem.replaceAll('_', ' '),
  });
}
