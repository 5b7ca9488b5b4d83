// Decimals of operators that are stored as they are: thresholds and ceilings.

import { ApiRefusal } from '../../../platform/http/index.ts';

const PLAIN = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/** Throws unless it is a plain decimal that is not negative. */
export function plainDecimal(given: number | string): string {
  const text = `${given}`;
  if (!PLAIN.test(text)) {
    throw new ApiRefusal('request_invalid', { detail: `Expected a decimal, got ${text}` });
  }
  return text;
}
