// A decimal of any size and precision, exact: limits, prices and values. It is compared, added and
// multiplied, and never becomes an amount of the ledger; those are atoms.

/** Exactly mantissa × 10^-scale. */
export interface Decimal {
  readonly mantissa: bigint;
  readonly scale: number;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Parses digits with an optional sign and fraction. Throws RangeError for other text. */
export function parseDecimal(text: string): Decimal {
  const [, sign, whole, fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`expected a decimal, got '${text}'`);
  return { mantissa: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/** Plain digits: no exponent, no trailing zeros. */
export function decimalText({ mantissa, scale }: Decimal): string {
  const sign = mantissa < 0n ? '-' : '';
  const digits = `${mantissa < 0n ? -mantissa : mantissa}`.padStart(scale + 1, '0');
  const point = digits.length - scale;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return sign + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`);
}

/** Below 0, 0 or above 0, as `one` is less than, equal to or more than `other`. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const [first, second] = atOneScale(one, other);
  return first < second ? -1 : first > second ? 1 : 0;
}

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const [first, second] = atOneScale(one, other);
  return { mantissa: first + second, scale: Math.max(one.scale, other.scale) };
}

export function multiplyDecimals(one: Decimal, other: Decimal): Decimal {
  return { mantissa: one.mantissa * other.mantissa, scale: one.scale + other.scale };
}

function atOneScale(one: Decimal, other: Decimal): readonly [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  return [atScale(one, scale), atScale(other, scale)];
}

function atScale({ mantissa, scale }: Decimal, wanted: number): bigint {
  return mantissa * 10n ** BigInt(wanted - scale);
}
