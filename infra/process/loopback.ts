// Whether a host is this machine: what stays on it needs no encryption.

import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A name other than `localhost` can be any machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  const version = isIP(bare);
  if (version === 0) return bare.toLowerCase() === 'localhost';
  return LOOPBACK.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
