// The transaction id of a deposit without one: derived from the signed request, so that the same
// request, however often and at whichever gateway it arrives, is one deposit.

import { createHash } from 'node:crypto';
import type { Caller } from '../../../domain/credentials/index.ts';

/** Undefined without a signature: such a request cannot be replayed. */
export function requestUuid({ key }: Pick<Caller, 'key'>, signature: string): string | undefined {
  if (signature === '') return undefined;
  const hex = createHash('sha256').update(`${key}:${signature}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
