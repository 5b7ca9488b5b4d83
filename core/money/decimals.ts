// Converts decimal text to whole numbers and back, exactly, from the source text and never through
// a float. The grammar is that of a JSON number, also inside a string: "1", "0.10", "1e-8",
// "1E+3", "-0". Rejected: "", " 1", "+1", "01", ".5", "1.", "0x1", "1_000", "NaN", "١".

import { decimalText } from './decimal.ts';
import { ATOMS_MAX, type Atoms, type Lots, type Ticks } from './units.ts';

export type DecimalProblem =
  | 'not_a_number'
  | 'negative'
  /** Finer than the scale: a fraction of an atom. */
  | 'too_many_digits'
  /** Not a whole number of ticks or lots. */
  | 'not_a_multiple'
  | 'too_large';

export type DecimalResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: DecimalProblem };

/** One tick is mantissa × 10^-scale quote units for one base unit. */
export interface TickSize {
  readonly mantissa: number;
  readonly scale: number;
}

/** One lot in atoms of a base asset with this scale. */
export interface LotSize {
  readonly atoms: Atoms;
  readonly scale: number;
}

/** Longer text is rejected without parsing. No amount, price or size needs half of it. */
export const DECIMAL_TEXT_MAX = 100;

/** Parses an amount of an asset to atoms, from 0 to ATOMS_MAX. */
export function atomsFromDecimal(text: string, scale: number): DecimalResult<Atoms> {
  const decimal = parseJsonNumber(text);
  if (!decimal.ok) return decimal;
  const atoms = wholeAtScale(decimal.value, scale);
  if (atoms === undefined) return refused('too_many_digits');
  return atoms > ATOMS_MAX ? refused('too_large') : accepted(atoms as Atoms);
}

/** Parses a price to whole ticks, from 0 to the largest safe integer. */
export function ticksFromDecimal(text: string, tick: TickSize): DecimalResult<Ticks> {
  const decimal = parseJsonNumber(text);
  if (!decimal.ok) return decimal;
  const multiple = multipleOf(wholeAtScale(decimal.value, tick.scale), BigInt(tick.mantissa));
  return multiple.ok ? accepted(multiple.value as Ticks) : multiple;
}

/** Parses a size to whole lots, from 0 to the largest safe integer. */
export function lotsFromDecimal(text: string, lot: LotSize): DecimalResult<Lots> {
  const decimal = parseJsonNumber(text);
  if (!decimal.ok) return decimal;
  const multiple = multipleOf(wholeAtScale(decimal.value, lot.scale), lot.atoms);
  return multiple.ok ? accepted(multiple.value as Lots) : multiple;
}

/** Plain digits: no exponent, no trailing zeros. Negative amounts have a sign. */
export function decimalFromAtoms(atoms: Atoms, scale: number): string {
  return decimalText({ mantissa: atoms, scale });
}

export function decimalFromTicks(ticks: Ticks, tick: TickSize): string {
  return decimalText({ mantissa: BigInt(ticks) * BigInt(tick.mantissa), scale: tick.scale });
}

export function decimalFromLots(lots: Lots, lot: LotSize): string {
  return decimalText({ mantissa: BigInt(lots) * lot.atoms, scale: lot.scale });
}

/** mantissa × 10^exponent. The mantissa does not end in 0 unless it is 0. */
interface JsonNumber {
  readonly mantissa: bigint;
  readonly digits: number;
  readonly exponent: number;
}

const GRAMMAR = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)0*([0-9]+))?$/;
const ZERO: JsonNumber = { mantissa: 0n, digits: 0, exponent: 0 };
// Larger exponents have the same effect: beyond every scale, whatever the fraction.
const EXPONENT_MAX = 9_999;
// Beyond every limit at any scale: 2^62 atoms have 19 digits, a safe number of lots of 2^62 has 35.
const WHOLE_DIGITS_MAX = 40;
const BEYOND_EVERY_LIMIT = 10n ** BigInt(WHOLE_DIGITS_MAX);

function parseJsonNumber(text: string): DecimalResult<JsonNumber> {
  if (text.length > DECIMAL_TEXT_MAX) return refused('not_a_number');
  const match = GRAMMAR.exec(text);
  if (match === null) return refused('not_a_number');
  const [, sign, whole, fraction = '', exponentSign = '', exponentDigits = '0'] = match;
  const withoutEnd = (whole + fraction).replace(/0+$/, '');
  const significant = withoutEnd.replace(/^0+/, '');
  if (significant === '') return accepted(ZERO);
  if (sign === '-') return refused('negative');
  const exponentSize = exponentDigits.length > 4 ? EXPONENT_MAX : Number(exponentDigits);
  return accepted({
    mantissa: BigInt(significant),
    digits: significant.length,
    exponent:
      (exponentSign === '-' ? -exponentSize : exponentSize) + whole.length - withoutEnd.length,
  });
}

/** The decimal × 10^scale; undefined if not whole. */
function wholeAtScale(decimal: JsonNumber, scale: number): bigint | undefined {
  const shift = decimal.exponent + scale;
  if (decimal.mantissa === 0n) return 0n;
  if (shift < 0) return undefined;
  if (decimal.digits + shift > WHOLE_DIGITS_MAX) return BEYOND_EVERY_LIMIT;
  return decimal.mantissa * 10n ** BigInt(shift);
}

function multipleOf(whole: bigint | undefined, increment: bigint): DecimalResult<number> {
  if (whole === undefined) return refused('not_a_multiple');
  const multiple = whole / increment;
  if (multiple > Number.MAX_SAFE_INTEGER) return refused('too_large');
  if (multiple * increment !== whole) return refused('not_a_multiple');
  return accepted(Number(multiple));
}

function accepted<Value>(value: Value): DecimalResult<Value> {
  return { ok: true, value };
}

function refused(problem: DecimalProblem): {
  readonly ok: false;
  readonly problem: DecimalProblem;
} {
  return { ok: false, problem };
}
