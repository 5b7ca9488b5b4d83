// Tests the share arithmetic by example.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATOMS_MAX } from '../../core/money/index.ts';
import { SHARE_UNITS, shareWeight, unpaidAtoms } from './shares.ts';

const cases: [
  what: string,
  fee: bigint,
  rate: bigint,
  weight: Parameters<typeof shareWeight>[0],
  atoms: bigint,
  rest: bigint,
][] = [
  ['1 usdt at 20%', 1_000_000n, 20n, { price: '1', feeScale: 6, shareScale: 6 }, 200_000n, 0n],
  // 0.001 btc × 61234.5 × 30% = 18.37035 usdt
  ['btc', 100_000n, 30n, { price: '61234.5', feeScale: 8, shareScale: 6 }, 18_370_350n, 0n],
  ['half an atom', 5n, 10n, { price: '1', feeScale: 6, shareScale: 6 }, 0n, SHARE_UNITS / 2n],
  ['a coin of whole units', 3n, 50n, { price: '2', feeScale: 0, shareScale: 2 }, 300n, 0n],
  [
    'price decimals after the 18th are truncated',
    10n ** 18n,
    10n,
    { price: '0.0000000000000000019', feeScale: 18, shareScale: 18 },
    0n,
    (SHARE_UNITS * 1n) / 10n,
  ],
];

for (const [what, fee, rate, weight, atoms, rest] of cases) {
  test(`share of a fee: ${what}`, () => {
    const numerator = fee * rate * shareWeight(weight);
    assert.equal(unpaidAtoms(numerator, 0n), atoms);
    assert.equal(numerator % SHARE_UNITS, rest);
  });
}

test('the paid amount is subtracted after the division, so the rest is kept', () => {
  const oneAndAHalf = (SHARE_UNITS * 3n) / 2n;
  assert.equal(unpaidAtoms(oneAndAHalf, 0n), 1n);
  assert.equal(unpaidAtoms(oneAndAHalf, 1n), 0n);
  assert.equal(unpaidAtoms(oneAndAHalf * 2n, 1n), 2n);
});

test('a payout is at most what the engine can hold', () => {
  assert.equal(unpaidAtoms((ATOMS_MAX + 5n) * SHARE_UNITS, 0n), ATOMS_MAX);
  assert.equal(unpaidAtoms((ATOMS_MAX + 5n) * SHARE_UNITS, ATOMS_MAX), 5n);
});

for (const price of ['', '-1', '1e3', '.5', '1.', 'NaN']) {
  test(`'${price}' is not a price`, () => {
    assert.throws(() => shareWeight({ price, feeScale: 8, shareScale: 8 }), RangeError);
  });
}
