// Which hops are trusted to report where a request comes from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrustedProxies } from './trusted-proxies.ts';

const ours = ['192.0.2.1', '198.51.100.0/24', '2001:db8::/32', 'loopback'];
const table: [trusted: string[], peer: string, forwarded: string | undefined, address: string][] = [
  [[], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  [ours, '203.0.113.5', '203.0.113.9', '203.0.113.5'],
  [ours, '192.0.2.1', '203.0.113.9', '203.0.113.9'],
  [ours, '192.0.2.1', undefined, '192.0.2.1'],
  [ours, '192.0.2.1', '  ', '192.0.2.1'],
  [ours, '::ffff:192.0.2.1', '203.0.113.9', '203.0.113.9'],
  [ours, '127.0.0.9', '203.0.113.9', '203.0.113.9'],
  [ours, '::1', '2001:db9::1', '2001:db9::1'],
  [ours, '2001:db8:7::1', '203.0.113.9', '203.0.113.9'],
  // Everything before the first address that is not a proxy's is untrusted.
  [ours, '192.0.2.1', '10.0.0.1, 203.0.113.9', '203.0.113.9'],
  [ours, '192.0.2.1', '203.0.113.9 ,198.51.100.7,, 192.0.2.1', '203.0.113.9'],
  [ours, '192.0.2.1', '203.0.113.9, unknown, 198.51.100.7', 'unknown'],
  [ours, '192.0.2.1', '198.51.100.8, 198.51.100.7', '198.51.100.8'],
  [['10.0.0.1'], '8.8.8.8', '1.2.3.4', '8.8.8.8'],
  [['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  [['10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  [['10.0.0.1'], '::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  [['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.1', '1.2.3.4'],
];

for (const [trusted, remoteAddress, forwarded, address] of table) {
  const way = `${forwarded ?? 'no header'} by ${remoteAddress}`;
  test(`${way} comes from ${address} with ${trusted.length} trusted proxies`, () => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress } };
    assert.equal(new TrustedProxies(trusted).addressOf(request), address);
  });
}

for (const entry of ['', 'somewhere', '192.0.2.1/33', '192.0.2.1/', '192.0.2.1/08', '::1/129']) {
  test(`'${entry}' is refused as a trusted proxy`, () => {
    assert.throws(() => new TrustedProxies([entry]), /invalid trusted proxy/);
  });
}
