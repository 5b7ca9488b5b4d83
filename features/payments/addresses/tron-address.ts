// TRON addresses: Base58Check of the byte 0x41 and 20 bytes. Its test chains use the same form.

import { decodeChecked, isZero } from './checked-base58.ts';

const PREFIX = 0x41;

export function parseTron(text: string): string | undefined {
  const bytes = decodeChecked('bitcoin', text);
  if (bytes?.length !== 21 || bytes[0] !== PREFIX || isZero(bytes.subarray(1))) return undefined;
  return text;
}
