// Counts of addresses: a customer with many IPv6 networks has a limit too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressCounts } from './address-counts.ts';
import { addressGroup } from './address-group.ts';

const MAX = 3;

test('abuse 74: the networks in one /48 share eight times the limit of one network', () => {
  const counts = new AddressCounts();
  const groupOf = (at: number) => addressGroup(`2001:db8:1:${at.toString(16)}::1`);
  for (let at = 0; at < MAX * 8; at++) assert.ok(counts.add(groupOf(at), MAX));
  assert.equal(counts.add(groupOf(99), MAX), false);
  assert.equal(counts.of(groupOf(99)), 0);
  assert.ok(counts.add(addressGroup('2001:db8:2::1'), MAX), 'another customer');
  counts.remove(groupOf(5));
  assert.ok(counts.add(groupOf(99), MAX));
});

test('one network, and an IPv4 address, has a separate limit', () => {
  for (const group of [addressGroup('2001:db8::1'), '192.0.2.1']) {
    const counts = new AddressCounts();
    for (let at = 0; at < MAX; at++) assert.ok(counts.add(group, MAX));
    assert.equal(counts.add(group, MAX), false);
  }
});
