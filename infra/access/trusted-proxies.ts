// The address that a request comes from, behind trusted proxies: the last address of its path that
// is not one of theirs. X-Forwarded-For entries of untrusted hops are ignored.

import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Names for networks that never leave a machine, a link or an organization. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/** Part of an HTTP request that identifies its origin. */
export interface RequestOrigin {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

export class TrustedProxies {
  readonly #ranges = new BlockList();
  readonly #isEmpty: boolean;

  /** Addresses, networks with `/` and a prefix length, or names. Throws for any other entry. */
  constructor(entries: readonly string[]) {
    this.#isEmpty = entries.length === 0;
    for (const text of entries.flatMap((entry) => NAMED[entry] ?? [entry])) this.#add(text);
  }

  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  addressOf({ headers, socket }: RequestOrigin): string {
    const { remoteAddress = '' } = socket;
    if (this.#isEmpty || !this.has(remoteAddress)) return remoteAddress;
    // Node has joined repeated headers. Each proxy appends the address that connected to it.
    const way = `${headers['x-forwarded-for'] ?? ''}`.split(',').map((text) => text.trim());
    let address = remoteAddress;
    for (const before of way.reverse()) {
      if (before === '') continue;
      address = before;
      if (!this.has(before)) break;
    }
    return address;
  }

  #add(text: string): void {
    const [address, digits, ...more] = text.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const prefix = digits === undefined ? bits : Number(digits);
    const isSound = digits === undefined || (PREFIX.test(digits) && prefix <= bits);
    if (version === 0 || !isSound || more.length > 0) {
      throw new RangeError(
        `invalid trusted proxy '${text}' (expected an address, a network or a name)`,
      );
    }
    this.#ranges.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
}
