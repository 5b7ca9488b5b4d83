// Valid entries of an address list, and the addresses that they let pass.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressList, isAddressEntry, isNarrowEntry } from './address-list.ts';

const entries: [entry: string, isOne: boolean][] = [
  ['203.0.113.9', true],
  ['203.0.113.9/32', true],
  ['203.0.113.0/24', true],
  ['203.0.0.0/16', true],
  ['203.0.113.0/25', false],
  ['203.0.113.0/8', false],
  ['0.0.0.0/0', false],
  ['203.0.113.9/33', false],
  ['203.0.113', false],
  ['203.0.113.256', false],
  ['203.0.113.09', false],
  ['203.0.113.9/', false],
  ['203.0.113.9/024', false],
  ['203.0.113.9/24/24', false],
  [' 203.0.113.9', false],
  ['2001:db8::1', true],
  ['2001:db8::/0', true],
  ['2001:db8::/32', true],
  ['2001:db8::/128', true],
  ['2001:db8::/129', false],
  ['2001:db8::/-1', false],
  ['2001:db8:::1', false],
  ['fe80::1%eth0', false],
  ['::ffff:203.0.113.9', false],
  ['localhost', false],
  ['', false],
];

for (const [entry, isOne] of entries) {
  test(`'${entry}' is ${isOne ? 'a valid' : 'an invalid'} entry`, () => {
    assert.equal(isAddressEntry(entry), isOne);
  });
}

const ranges: [entry: string, isNarrow: boolean][] = [
  ['203.0.113.9', true],
  ['203.0.0.0/16', true],
  ['203.0.0.0/15', false],
  ['2001:db8::1', true],
  ['2001:db8::/32', true],
  ['2001:db8::/31', false],
  ['::/0', false],
  ['::/1', false],
  ['nonsense', false],
];
for (const [entry, isNarrow] of ranges) {
  test(`'${entry}' is ${isNarrow ? 'narrow' : 'too wide'} for a key that withdraws`, () => {
    assert.equal(isNarrowEntry(entry), isNarrow);
  });
}

const list = new AddressList(['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', 'nonsense']);

const addresses: [address: string, passes: boolean][] = [
  ['203.0.113.0', true],
  ['203.0.113.255', true],
  ['203.0.114.0', false],
  ['203.0.112.255', false],
  ['::ffff:203.0.113.9', true],
  ['::FFFF:203.0.114.9', false],
  ['198.51.100.7', true],
  ['198.51.100.8', false],
  ['2001:db8:1::', true],
  ['2001:db8:1:ffff:ffff:ffff:ffff:ffff', true],
  ['2001:db8:2::', false],
  ['nonsense', false],
  ['', false],
];

for (const [address, passes] of addresses) {
  test(`'${address}' ${passes ? 'passes' : 'does not pass'}`, () => {
    assert.equal(list.has(address), passes);
  });
}

test('a setting can name any network', () => {
  const entries = ['10.0.0.0/8', '172.16.0.0/12', '192.0.2.0/33'];
  const networks = new AddressList(entries, { hasAnyPrefix: true });
  assert.ok(networks.has('10.1.2.3') && networks.has('172.31.0.1'));
  assert.ok(!networks.has('172.32.0.1') && !networks.has('192.0.2.1'));
  assert.ok(!new AddressList(entries).has('10.1.2.3'), 'a key cannot');
});

test('the result for one address is not returned for another', () => {
  for (const [address, passes] of [...addresses, ...addresses.toReversed()]) {
    assert.equal(list.has(address), passes, address);
    assert.equal(list.has(address), passes, address);
  }
});
