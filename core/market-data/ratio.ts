// Exact fractions of integers, for prices that are products and quotients of prices. Decimals are
// truncated. Never used to move money.

export interface Ratio {
  readonly over: bigint;
  /** Above 0. */
  readonly under: bigint;
}

export const ONE: Ratio = { over: 1n, under: 1n };

const DECIMAL = /^(\d{1,64})(?:\.(\d{1,64}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Parses a non-negative decimal; undefined if the text is not one. */
export function ratioFromDecimal(text: string): Ratio | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole, fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText) - fraction.length;
  const digits = BigInt(whole + fraction);
  return exponent < 0
    ? { over: digits, under: 10n ** BigInt(-exponent) }
    : { over: digits * 10n ** BigInt(exponent), under: 1n };
}

export function product(first: Ratio, second: Ratio): Ratio {
  return { over: first.over * second.over, under: first.under * second.under };
}

/** The ratio must not be 0. */
export function inverse({ over, under }: Ratio): Ratio {
  return { over: under, under: over };
}

// The digits that a double holds exactly; most clients parse into doubles.
const SIGNIFICANT_DIGITS = 15;
// Beyond this it is a mistake, not a price.
const FRACTION_DIGITS_MAX = 30;

/** A plain decimal, truncated to 15 significant digits; integer digits are never cut. */
export function decimalOfRatio({ over, under }: Ratio): string {
  const whole = `${over / under}`;
  if (over === 0n || whole.length >= SIGNIFICANT_DIGITS) return whole;
  // With this many decimal places the first significant digit is certainly included.
  const scaled = `${(over * 10n ** BigInt(FRACTION_DIGITS_MAX)) / under}`;
  const fraction = scaled.padStart(FRACTION_DIGITS_MAX + 1, '0').slice(-FRACTION_DIGITS_MAX);
  const zeros = whole === '0' ? fraction.length - fraction.replace(/^0+/, '').length : 0;
  const kept = SIGNIFICANT_DIGITS - (whole === '0' ? 0 : whole.length) + zeros;
  const digits = fraction.slice(0, kept).replace(/0+$/, '');
  return digits === '' ? whole : `${whole}.${digits}`;
}
