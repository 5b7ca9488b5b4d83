// Formats amounts and times in the user's language. Amounts remain text: `Intl` formats a text
// exactly, so the screen shows the same digits as the wire.

import { add, compare, isDecimal, isZero, withScale } from './decimal.ts';

export interface NumberLook {
  readonly language: string;
  /** `latn` for 0-9 in every language, or the digits of the language. */
  readonly digits: 'latn' | 'native';
}

type NumberText = Intl.StringNumericLiteral;

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(look: NumberLook, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${look.language} ${look.digits} ${Object.values(options).join(' ')}`;
  let format = formats.get(key);
  if (format === undefined) {
    const system = look.digits === 'latn' ? { numberingSystem: 'latn' } : {};
    format = new Intl.NumberFormat(localeFor(look), { ...options, ...system });
    formats.set(key, format);
  }
  return format;
}

/** Latin digits also use English separators, so numbers look the same in every language. */
function localeFor({ digits, language }: NumberLook): string {
  return digits === 'latn' ? 'en' : language;
}

/** Formats all digits, or exactly `scale` decimals, truncated and never rounded up. */
export function formatDecimal(text: string, look: NumberLook, scale?: number): string {
  if (!isDecimal(text)) return text;
  const shown = scale === undefined ? text : withScale(text, scale);
  const digits = shown.split('.')[1]?.length ?? 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat(look, options).format(shown as NumberText);
}

/** Formats a ratio such as `0.0123` as `+1.23%`. */
export function formatPercent(
  ratio: string,
  look: NumberLook,
  { isSigned = false, scale = 2 }: { isSigned?: boolean; scale?: number } = {},
): string {
  return numberFormat(look, {
    style: 'percent',
    minimumFractionDigits: scale,
    maximumFractionDigits: scale,
    signDisplay: isSigned ? 'exceptZero' : 'auto',
  }).format(ratio as NumberText);
}

/**
 * Formats a short form for overviews, such as `1.25M`. Never use it for amounts to trade or pay.
 */
export function formatCompact(text: string, look: NumberLook): string {
  if (!isDecimal(text)) return text;
  const options = { notation: 'compact', maximumFractionDigits: 2 } as const;
  return numberFormat(look, options).format(text as NumberText);
}

/** Returns the trailing zeros of a fraction, which are drawn in a muted color. */
export function splitTrailingZeros(text: string): { strong: string; quiet: string } {
  if (!text.includes('.')) return { strong: text, quiet: '' };
  const strong = text.replace(/\.?0+$/, '');
  return { strong, quiet: text.slice(strong.length) };
}

/** Returns the price change as a ratio with six decimals; undefined without a start price. */
export function changeRatio(from: string, to: string): string | undefined {
  if (!isDecimal(from) || !isDecimal(to) || isZero(from)) return undefined;
  const [first, last] = [BigInt(withScale(from, 18).replace('.', '')), withScale(to, 18)];
  const difference = BigInt(last.replace('.', '')) - first;
  const millionths = (difference * 1_000_000n) / first;
  const sign = millionths < 0n ? '-' : '';
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0');
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Returns the total of many amounts. */
export function sum(texts: readonly string[]): string {
  return texts.reduce(add, '0');
}

export function maximum(texts: readonly string[]): string {
  return texts.reduce((most, text) => (compare(text, most) > 0 ? text : most), '0');
}

export type TimeForm = 'time' | 'short' | 'seconds' | 'full';

const TIME_FORMS: Record<TimeForm, Intl.DateTimeFormatOptions> = {
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  short: {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  seconds: {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  full: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
};

const timeFormats = new Map<string, Intl.DateTimeFormat>();

export function formatTime(time: string | number | Date, form: TimeForm, look: NumberLook): string {
  const key = `${look.language} ${look.digits} ${form}`;
  let format = timeFormats.get(key);
  if (format === undefined) {
    const system = look.digits === 'latn' ? { numberingSystem: 'latn' } : {};
    format = new Intl.DateTimeFormat(look.language, { ...TIME_FORMS[form], ...system });
    timeFormats.set(key, format);
  }
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
}
