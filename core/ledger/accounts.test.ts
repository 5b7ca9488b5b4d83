// Accounts are found by owner and asset, opened once, never removed, and have their own amounts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { EXTERNAL_OWNER, FEES_OWNER } from '../messages/index.ts';
import { type AssetId, ATOMS_MAX, USER_MAX } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { Accounts } from './accounts.ts';

test('an account is found by its owner and asset only', () => {
  const accounts = new Accounts(2_000);
  const owners = [EXTERNAL_OWNER, FEES_OWNER, 1, 2, 15, 16, 17, USER_MAX, USER_MAX - 1];
  for (let more = 1_000; more < 1_100; more++) owners.push(more);
  const assets = [1, 2, 3, 16, 17, 4_096] as AssetId[];
  for (const owner of owners) {
    for (const asset of assets) {
      assert.equal(accounts.find(owner, asset), NONE);
      assert.equal(accounts.open(owner, asset), accounts.size);
    }
  }
  let slot = 0;
  for (const owner of owners) {
    for (const asset of assets) {
      slot++;
      assert.equal(accounts.find(owner, asset), slot);
      assert.deepEqual([accounts.owner(slot), accounts.asset(slot)], [owner, asset]);
      assert.equal(accounts.availableAtoms(slot) + accounts.heldAtoms(slot), 0n);
    }
  }
  assert.equal(accounts.find(3, 1 as AssetId), NONE);
  assert.equal(accounts.find(1, 5 as AssetId), NONE);
});

test('an account is opened once', () => {
  const accounts = new Accounts(2);
  accounts.open(1, 1 as AssetId);
  assert.throws(() => accounts.open(1, 1 as AssetId), /an account is opened once/);
});

test('amounts are exact up to the maximum, even below zero, and separate per account', () => {
  const accounts = new Accounts(3);
  for (const owner of [1, 2, 3]) accounts.open(owner, 1 as AssetId);
  accounts.setAvailableAtoms(2, -ATOMS_MAX);
  accounts.setHeldAtoms(2, ATOMS_MAX - 1n);
  const amounts = [1, 2, 3].map((slot) => [
    accounts.availableAtoms(slot),
    accounts.heldAtoms(slot),
  ]);
  assert.deepEqual(amounts, [
    [0n, 0n],
    [-ATOMS_MAX, ATOMS_MAX - 1n],
    [0n, 0n],
  ]);
});

test('slot NONE has no amounts', () => {
  const accounts = new Accounts(1);
  assert.deepEqual([accounts.availableAtoms(NONE), accounts.heldAtoms(NONE)], [0n, 0n]);
});
