// Exact arithmetic on amounts as text. Screens never convert money to a floating-point number. A
// decimal is digits with an optional fraction and an optional minus sign, without an exponent.

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A decimal as an integer number of units of 10^-scale. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

export type Rounding = 'down' | 'up';

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

function scaled(text: string): Scaled {
  if (!isDecimal(text)) throw new Error(`Not a decimal: '${text}'`);
  const [whole, fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

function textOf({ scale, units }: Scaled): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function unitsAt({ scale, units }: Scaled, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

/** Returns both at the larger of their scales. */
function aligned(one: string, other: string): { a: bigint; b: bigint; scale: number } {
  const first = scaled(one);
  const second = scaled(other);
  const scale = Math.max(first.scale, second.scale);
  return { a: unitsAt(first, scale), b: unitsAt(second, scale), scale };
}

/** Returns a number below, equal to or above 0. */
export function compare(one: string, other: string): number {
  const { a, b } = aligned(one, other);
  return a === b ? 0 : a < b ? -1 : 1;
}

export function add(one: string, other: string): string {
  const { a, b, scale } = aligned(one, other);
  return textOf({ units: a + b, scale });
}

export function subtract(one: string, other: string): string {
  const { a, b, scale } = aligned(one, other);
  return textOf({ units: a - b, scale });
}

/** Returns the exact product, with the decimals of both factors. */
export function multiply(one: string, other: string): string {
  const first = scaled(one);
  const second = scaled(other);
  return textOf({ units: first.units * second.units, scale: first.scale + second.scale });
}

/** Returns the quotient with `scale` decimals. Throws if the divisor is zero. */
export function divide(
  one: string,
  other: string,
  { rounding = 'down', scale }: { scale: number; rounding?: Rounding },
): string {
  const first = scaled(one);
  const second = scaled(other);
  const units = first.units * 10n ** BigInt(scale + second.scale);
  const divisor = second.units * 10n ** BigInt(first.scale);
  return textOf({ units: quotient(units, divisor, rounding), scale });
}

/** `down` rounds toward zero, `up` away from it. */
function quotient(units: bigint, divisor: bigint, rounding: Rounding): bigint {
  const whole = units / divisor;
  if (rounding === 'down' || whole * divisor === units) return whole;
  return units < 0n === divisor < 0n ? whole + 1n : whole - 1n;
}

/** Truncates or extends the fraction to `scale` decimals. */
export function withScale(text: string, scale: number, rounding: Rounding = 'down'): string {
  return divide(text, '1', { scale, rounding });
}

/** Returns the number of decimals that an increment needs, such as 2 for `0.0100`. */
export function scaleOf(increment: string): number {
  const { scale, units } = scaled(trimmed(increment));
  return units === 0n ? 0 : scale;
}

/** Returns the nearest multiple of the increment, with the increment's decimals. */
export function toIncrement(text: string, increment: string, rounding: Rounding = 'down'): string {
  const count = divide(text, increment, { scale: 0, rounding });
  return withScale(multiply(count, increment), scaleOf(increment));
}

export function isMultipleOf(text: string, increment: string): boolean {
  const { a, b } = aligned(text, increment);
  return b !== 0n && a % b === 0n;
}

/** Removes trailing zeros of the fraction. */
export function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function isZero(text: string): boolean {
  return /^-?0+(?:\.0+)?$/.test(text);
}

export function isPositive(text: string): boolean {
  return isDecimal(text) && !text.startsWith('-') && !isZero(text);
}

export function least(one: string, other: string): string {
  return compare(one, other) <= 0 ? one : other;
}

/**
 * Cleans typed or pasted text: removes spaces and grouping, reads a comma as a decimal point, and
 * converts digits of other scripts to Latin ones. Returns undefined if the text cannot become a
 * decimal.
 */
export function typedDecimal(text: string, scale: number): string | undefined {
  const latin = text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\s'’_٬]/g, '')
    .replace(/٫/g, '.');
  // When pasted, `1,500` could be 1500 or 1.5. When typed, the comma becomes a point immediately.
  if (/^[1-9]\d{0,2},\d{3}$/.test(latin)) return undefined;
  const plain = latin.includes('.') ? latin.replace(/,/g, '') : oneCommaAsPoint(latin);
  if (plain === '') return '';
  const match = /^(\d*)(?:(\.)(\d*))?$/.exec(plain);
  if (match === null) return undefined;
  const whole = (match[1] ?? '').replace(/^0+(?=\d)/, '') || '0';
  if (match[2] === undefined) return whole;
  if (scale === 0) return undefined;
  const fraction = match[3] ?? '';
  return fraction.length > scale ? undefined : `${whole}.${fraction}`;
}

/** `1,5` means one and a half; `1,500,000` is grouped. */
function oneCommaAsPoint(text: string): string {
  return text.split(',').length === 2 ? text.replace(',', '.') : text.replace(/,/g, '');
}
