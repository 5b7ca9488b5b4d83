// Solana addresses: 32 bytes in Base58, without a checksum. Programs own addresses too, so a point
// off the curve is valid.

import { base58 } from '@scure/base';
import { decodeOrUndefined, isZero } from './checked-base58.ts';

export function parseSolana(text: string): string | undefined {
  const bytes = decodeOrUndefined(base58, text);
  return bytes?.length === 32 && !isZero(bytes) ? text : undefined;
}
