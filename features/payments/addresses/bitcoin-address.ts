// Bitcoin addresses: Base58Check for key and script hashes, Bech32 for segregated witness version 0
// (BIP 173), Bech32m for Taproot (BIP 350). Anyone can spend outputs of later versions until a fork
// defines them, so those addresses are rejected.

import { type Bech32, bech32, bech32m } from '@scure/base';
import { decodeChecked, isZero } from './checked-base58.ts';

export type BitcoinChain = 'main' | 'test' | 'regtest';

const CHAINS = {
  main: { prefix: 'bc', keyHash: 0x00, scriptHash: 0x05 },
  test: { prefix: 'tb', keyHash: 0x6f, scriptHash: 0xc4 },
  regtest: { prefix: 'bcrt', keyHash: 0x6f, scriptHash: 0xc4 },
} as const;

/** Payable witness programs: version, encoding, and lengths in bytes. */
const PROGRAMS = [
  { version: 0, encoding: bech32, lengths: [20, 32] },
  { version: 1, encoding: bech32m, lengths: [32] },
] as const;

export function parseBitcoin(text: string, chain: BitcoinChain): string | undefined {
  const { keyHash, prefix, scriptHash } = CHAINS[chain];
  if (text.toLowerCase().startsWith(`${prefix}1`)) return parseWitness(text, prefix);
  const bytes = decodeChecked('bitcoin', text);
  if (bytes?.length !== 21 || isZero(bytes.subarray(1))) return undefined;
  return bytes[0] === keyHash || bytes[0] === scriptHash ? text : undefined;
}

function parseWitness(text: string, prefix: string): string | undefined {
  const isPayable = PROGRAMS.some(({ encoding, lengths, version }) => {
    const program = programOf(encoding, { text, prefix, version });
    if (program === undefined || isZero(program)) return false;
    return lengths.some((length) => length === program.length);
  });
  return isPayable ? text.toLowerCase() : undefined;
}

function programOf(
  encoding: Pick<Bech32, 'decodeUnsafe' | 'fromWordsUnsafe'>,
  { prefix, text, version }: { readonly text: string; prefix: string; version: number },
): Uint8Array | undefined {
  const decoded = encoding.decodeUnsafe(text);
  if (decoded === undefined || decoded.prefix !== prefix) return undefined;
  const [first, ...words] = decoded.words;
  const program = encoding.fromWordsUnsafe(words);
  return first === version && program instanceof Uint8Array ? program : undefined;
}
