// The addresses from which a key can be used: IPv4 and IPv6, each with an optional prefix. Entries
// are validated when they are stored, so a stored list is always valid.

import { BlockList, isIP, isIPv4 } from 'node:net';

export const ADDRESSES_MAX = 50;

const IPV4_PREFIXES = [16, 24, 32];
const IPV4_PREFIX_MAX = 32;
const IPV6_PREFIX_MAX = 128;
/** The widest range that still locates a client: that of one provider or company. */
const NARROW_PREFIX_MIN = { ipv4: 16, ipv6: 32 };
// An IPv4 address as dual-stack sockets report it.
const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** Whether the text is a valid entry: an address, optionally with `/` and a prefix length. */
export function isAddressEntry(text: string): boolean {
  return parse(text) !== undefined;
}

/** Returns whether the text is a valid entry that locates a client; `::/0` does not. */
export function isNarrowEntry(text: string): boolean {
  const entry = parse(text);
  return entry !== undefined && entry.prefix >= NARROW_PREFIX_MIN[entry.family];
}

export class AddressList {
  readonly #ranges = new BlockList();
  readonly isEmpty: boolean;
  /** Last result, because a key is mostly used from one address. */
  #last: { readonly address: string; readonly isIn: boolean } | undefined;

  /**
   * Invalid entries match nothing: a list is never wider than it looks. The prefixes of keys are
   * few; a setting can name any network.
   */
  constructor(entries: readonly string[], { hasAnyPrefix = false } = {}) {
    this.isEmpty = entries.length === 0;
    for (const text of entries) {
      const entry = parse(text, hasAnyPrefix);
      if (entry !== undefined) this.#ranges.addSubnet(entry.address, entry.prefix, entry.family);
    }
  }

  has(address: string): boolean {
    if (this.#last?.address !== address) this.#last = { address, isIn: this.#find(address) };
    return this.#last.isIn;
  }

  #find(address: string): boolean {
    const plain = MAPPED.exec(address)?.[1] ?? address;
    const version = isIP(plain);
    if (version === 0) return false;
    return this.#ranges.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}

interface Entry {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parse(text: string, hasAnyPrefix = false): Entry | undefined {
  const [address, digits, ...more] = text.split('/');
  // A zone (`%eth0`) is local to one machine; a mapped address is written as IPv4.
  if (more.length > 0 || address.includes('%') || isIP(address) === 0 || /^::ffff:/i.test(address))
    return undefined;
  if (digits !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  if (isIPv4(address)) {
    const prefix = digits === undefined ? 32 : Number(digits);
    const isAllowed = hasAnyPrefix ? prefix <= IPV4_PREFIX_MAX : IPV4_PREFIXES.includes(prefix);
    return isAllowed ? { address, prefix, family: 'ipv4' } : undefined;
  }
  const prefix = digits === undefined ? IPV6_PREFIX_MAX : Number(digits);
  return prefix <= IPV6_PREFIX_MAX ? { address, prefix, family: 'ipv6' } : undefined;
}
