// The numbers of a story are decimal text; a thousands comma is allowed. A number that is not a
// whole count of its unit is a mistake in the story and is never rounded.

import { type DecimalResult, ticksFromDecimal } from '../../core/money/index.ts';

/** Returns the value. Throws an error with the wrong text and the problem. */
export function exactly<Value>(
  text: string,
  convert: (plain: string) => DecimalResult<Value>,
): Value {
  const result = convert(text.replaceAll(',', ''));
  if (!result.ok) throw new Error(`'${text}' is ${result.problem.replaceAll('_', ' ')}`);
  return result.value;
}

/** Parses `0.1%` into millionths. */
export function ppmOf(text: string): number {
  const unit = { mantissa: 1, scale: 4 };
  return exactly(text.replace(/%$/, ''), (plain) => ticksFromDecimal(plain, unit));
}

/** Parses `60s` or `500ms` into milliseconds. */
export function durationMsOf(text: string): number {
  const match = /^(\d+)(ms|s)$/.exec(text);
  if (match === null) throw new Error(`'${text}' is not a duration like 60s or 500ms`);
  return Number(match[1]) * (match[2] === 's' ? 1_000 : 1);
}
