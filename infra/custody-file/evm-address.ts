// EVM addresses as text: their checksum (EIP-55), and the accepted spellings.

import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ZERO = '0'.repeat(40);

/**
 * Returns the spelling with a checksum, or undefined if the text is not an address. The case of the
 * letters is the checksum; an address in a single case has none and is accepted.
 */
export function parseEvmAddress(text: string): string | undefined {
  if (!ADDRESS.test(text)) return undefined;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (lower === ZERO) return undefined;
  const address = `0x${withChecksum(lower)}`;
  const isUnchecked = digits === lower || digits === digits.toUpperCase();
  return isUnchecked || text === address ? address : undefined;
}

/** Returns the last 20 bytes of the hash of an uncompressed public key. */
export function evmAddressOf(publicKey: Uint8Array): Uint8Array {
  // Without the prefix of an uncompressed point.
  return keccak_256(publicKey.subarray(1)).subarray(-20);
}

function withChecksum(lower: string): string {
  const hashed = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex');
  return Array.from(lower, (digit, at) =>
    Number.parseInt(hashed[at], 16) >= 8 ? digit.toUpperCase() : digit,
  ).join('');
}
