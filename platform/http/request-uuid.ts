// The transaction id of a deposit without one: derived from the signed request, so that the same
// request, however often and at whichever gateway it arrives, is one deposit.

import type { Caller } from '../../features/auth/index.ts';
import { signatureHash } from './signed-request.ts';

/** Undefined without a signature: such a request cannot be replayed. */
export function requestUuid(caller: Pick<Caller, 'key'>, signature: string): string | undefined {
  const hex = signatureHash(caller, signature)?.toString('hex');
  if (hex === undefined) return undefined;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
