// Where a socket really comes from: the last address that no trusted proxy vouches for.

import type { AddressList } from '../../infra/access/index.ts';

export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: AddressList,
): string {
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  let address = peer;
  while (trusted.has(address)) {
    const before = hops.pop();
    if (before === undefined || before === '') break;
    address = before;
  }
  return address;
}
