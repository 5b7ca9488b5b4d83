// Decimals of operators that are stored as they are: thresholds and ceilings.

import { Refused } from '../../../protocol/wire/index.ts';

const PLAIN = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/** Refuses all but plain decimals that are not negative. */
export function plainDecimal(given: number | string): string | Refused<'request_invalid'> {
  const text = `${given}`;
  if (!PLAIN.test(text)) {
    return new Refused('request_invalid', { detail: `Expected a decimal, got ${text}` });
  }
  return text;
}
