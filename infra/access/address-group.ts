// The unit of limits per address: an IPv4 address, or the /64 network of an IPv6 address. Providers
// assign a whole /64 to one customer, who can use any of its 2^64 addresses.

import { isIP } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** The first six groups of an IPv4 address as dual-stack sockets report it. */
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

const GROUPS_MAX = 4_096;
/** Found groups by address, because clients send many requests. */
const found = new Map<string, string>();

/** Text that is not an address is its own group. */
export function addressGroup(address: string): string {
  let group = found.get(address);
  if (group === undefined) {
    group = findGroup(address);
    if (found.size >= GROUPS_MAX) found.clear();
    found.set(address, group);
  }
  return group;
}

function findGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = expand(address);
  if (groups.slice(0, -2).join(':') === MAPPED_PREFIX) return ipv4Of(groups.slice(-2));
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** How many times the limit of a /64 network its /48 has. */
export const WIDER_FACTOR = 8;

/** The /48 of a group that is, or ends with, a /64 network; undefined for others. */
export function widerGroup(group: string): string | undefined {
  const wider = group.replace(/:[0-9a-f]+::\/64$/, '::/48');
  return wider === group ? undefined : wider;
}

/** The eight groups without leading zeros. The zone (`%eth0`) is not part of them. */
function expand(address: string): string[] {
  const [plain] = address.toLowerCase().split('%');
  const [head, tail] = plain.split('::');
  const before = groupsOf(head);
  if (tail === undefined) return before;
  const after = groupsOf(tail);
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}

/** The last two groups can be written as an IPv4 address. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16).toString(16)];
    const [a, b, c, d] = group.split('.').map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}

function ipv4Of(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [Math.floor(number / 256), number % 256])
    .join('.');
}
