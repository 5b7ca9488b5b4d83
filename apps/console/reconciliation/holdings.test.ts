// Ledger amounts next to external counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdingRows } from './holdings.ts';

const TOTAL = { users_available: '0', users_held: '0', fees: '0', external: '0', total: '0' };
const DECLARED = { note: 'counted', declared_by: 7, declared_at: '2026-11-17T12:00:00.000Z' };
const DIFFERENCE = {
  id: 1,
  check: 'balances',
  object: 'account 17 btc available',
  currency: 'btc',
  expected: '1',
  found: '2',
  frame: 5,
  first_found_at: '2026-11-17T12:00:00.000Z',
  found_at: '2026-11-17T12:00:00.000Z',
};

test('users and fees are owed, and the remainder is the discrepancy', () => {
  const totals = [
    { ...TOTAL, currency: 'btc', users_available: '1', users_held: '0.5', fees: '0.25' },
    { ...TOTAL, currency: 'xrp' },
    { ...TOTAL, currency: 'usdt', users_available: '100' },
  ];
  const rows = holdingRows(totals, [{ ...DECLARED, currency: 'btc', amount: '1.5' }], [DIFFERENCE]);
  const facts = rows.map((row) => [
    row.currency,
    row.ledger,
    row.outside,
    row.difference,
    row.open,
  ]);
  assert.deepEqual(facts, [
    ['btc', '1.75', '1.5', '-0.25', 1],
    ['usdt', '100', undefined, undefined, 0],
  ]);
});

test('declarations are shown even without access to the ledger', () => {
  const [row] = holdingRows([], [{ ...DECLARED, currency: 'btc', amount: '1' }], []);
  assert.deepEqual([row.ledger, row.outside, row.difference], [undefined, '1', undefined]);
});
