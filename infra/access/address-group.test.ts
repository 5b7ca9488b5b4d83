// Limits per address count an IPv4 address, and a /64 network of IPv6.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressGroup } from './address-group.ts';

const CASES: readonly [address: string, group: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::ffff', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8::5:1:2:3:4', '2001:db8:0:5::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
  ['203.0.113.7:4711', '203.0.113.7:4711'],
  ['2001:db8:::1', '2001:db8:::1'],
];

test('an IPv4 address is its own group, and an IPv6 address belongs to its /64', () => {
  assert.deepEqual(
    CASES.map(([address]) => [address, addressGroup(address)]),
    CASES,
  );
});

test('all addresses in a /64 are one group', () => {
  const groups = Array.from({ length: 500 }, (_, index) =>
    addressGroup(`2001:db8:0:7::${index.toString(16)}`),
  );
  assert.deepEqual([...new Set(groups)], ['2001:db8:0:7::/64']);
});
