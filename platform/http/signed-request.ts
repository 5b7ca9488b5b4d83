// The hash of a signed request, by which the exchange recognises the same request when it arrives
// again, at whichever gateway.

import { createHash } from 'node:crypto';
import type { Caller } from '../../features/auth/index.ts';

/** Undefined without a signature: such a request cannot be replayed. */
export function signatureHash({ key }: Pick<Caller, 'key'>, signature: string): Buffer | undefined {
  if (signature === '') return undefined;
  return createHash('sha256').update(`${key}:${signature}`).digest();
}
