// A quote token is the quote itself, sealed with a key that all gateways share. Nothing is stored,
// any gateway can execute it, and clients can neither create nor change one. It names its user and
// its expiry. The engine executes it once, under an ID derived from the token.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Side } from '../../../core/messages/index.ts';
import type { Atoms, Lots, MarketId, TimeMs, UserId } from '../../../core/money/index.ts';

export interface SealedQuote {
  readonly user: UserId;
  readonly market: MarketId;
  readonly side: Side;
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
  readonly expiresAtMs: TimeMs;
}

/** Purpose for which the key is derived. */
export const QUOTE_KEY_LABEL = 'quote';
export const QUOTE_LIFE_MS = 30_000;

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_AT = 1;
const TAG_AT = 13;
const SEALED_AT = 29;
// user, market, side, lots, quote atoms, expiry
const PLAIN_BYTES = 4 + 4 + 1 + 8 + 8 + 8;
const TOKEN_BYTES = SEALED_AT + PLAIN_BYTES;
const TAG_BYTES = SEALED_AT - TAG_AT;

export function sealQuote(key: Uint8Array, quote: SealedQuote): string {
  const plain = Buffer.alloc(PLAIN_BYTES);
  plain.writeUInt32LE(quote.user, 0);
  plain.writeUInt32LE(quote.market, 4);
  plain.writeUInt8(quote.side === 'buy' ? 0 : 1, 8);
  plain.writeDoubleLE(quote.sizeLots, 9);
  plain.writeBigInt64LE(quote.quoteAtoms, 17);
  plain.writeDoubleLE(quote.expiresAtMs, 25);
  const token = Buffer.alloc(TOKEN_BYTES);
  token.writeUInt8(VERSION, 0);
  randomBytes(TAG_AT - NONCE_AT).copy(token, NONCE_AT);
  const cipher = createCipheriv(CIPHER, key, token.subarray(NONCE_AT, TAG_AT), {
    authTagLength: TAG_BYTES,
  });
  cipher.update(plain).copy(token, SEALED_AT);
  cipher.final();
  cipher.getAuthTag().copy(token, TAG_AT);
  return token.toString('base64url');
}

/** Returns undefined for anything not sealed with one of the keys. */
export function openQuote(keys: readonly Uint8Array[], token: string): SealedQuote | undefined {
  const bytes = bytesOf(token);
  if (bytes === undefined || bytes[0] !== VERSION) return undefined;
  for (const key of keys) {
    const quote = openBytes(key, bytes);
    if (quote !== undefined) return quote;
  }
  return undefined;
}

function openBytes(key: Uint8Array, bytes: Buffer): SealedQuote | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(NONCE_AT, TAG_AT), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(TAG_AT, SEALED_AT));
  const plain = decipher.update(bytes.subarray(SEALED_AT));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return {
    user: plain.readUInt32LE(0) as UserId,
    market: plain.readUInt32LE(4) as MarketId,
    side: plain.readUInt8(8) === 0 ? 'buy' : 'sell',
    sizeLots: plain.readDoubleLE(9) as Lots,
    quoteAtoms: plain.readBigInt64LE(17) as Atoms,
    expiresAtMs: plain.readDoubleLE(25) as TimeMs,
  };
}

/** Client order ID (33 characters) under which the engine executes the quote once. */
export function quoteOrderId(token: string): string {
  const hash = createHash('sha256').update(Buffer.from(token, 'base64url')).digest('hex');
  return `q${hash.slice(0, 32)}`;
}

/** Accepts only the issued text: another encoding of the same bytes is not a token. */
function bytesOf(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const isOurs = bytes.length === TOKEN_BYTES && bytes.toString('base64url') === token;
  return isOurs ? bytes : undefined;
}
