// Addresses of Ethereum and other EVM chains: 20 bytes in hexadecimal. The case of the letters is a
// checksum (EIP-55). An address in a single case has no checksum and is accepted.

import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ZERO = '0'.repeat(40);

export function parseEvm(text: string): string | undefined {
  if (!ADDRESS.test(text)) return undefined;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (lower === ZERO) return undefined;
  const address = `0x${withChecksum(lower)}`;
  const isUnchecked = digits === lower || digits === digits.toUpperCase();
  return isUnchecked || text === address ? address : undefined;
}

function withChecksum(lower: string): string {
  const hashed = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex');
  return Array.from(lower, (digit, at) =>
    Number.parseInt(hashed[at], 16) >= 8 ? digit.toUpperCase() : digit,
  ).join('');
}
