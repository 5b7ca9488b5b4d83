// A signed request, recognized when it arrives again, however often and at whichever gateway: by
// its hash, and by the id that a deposit without a transaction gets from it.

import { createHash } from 'node:crypto';
import type { Caller } from '../../features/auth/index.ts';

/** Undefined without a signature: such a request cannot be replayed. */
export function signatureHash({ key }: Pick<Caller, 'key'>, signature: string): Buffer | undefined {
  if (signature === '') return undefined;
  return createHash('sha256').update(`${key}:${signature}`).digest();
}

export function signatureHex(caller: Pick<Caller, 'key'>, signature: string): string | null {
  return signatureHash(caller, signature)?.toString('hex') ?? null;
}

/** Undefined without a signature: such a request cannot be replayed. */
export function requestUuid(caller: Pick<Caller, 'key'>, signature: string): string | undefined {
  const hex = signatureHash(caller, signature)?.toString('hex');
  if (hex === undefined) return undefined;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
