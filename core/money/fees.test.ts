// Fees against exact rational arithmetic: the smallest whole number not below received × rate.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { discountedPpm, feeAtoms } from './fees.ts';
import { ATOMS_MAX, type Atoms, type Ppm } from './units.ts';

const anyAtoms = fc.bigInt({ min: 0n, max: ATOMS_MAX }).map((value) => value as Atoms);
const anyPpm = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value as Ppm);

test('a fee is received × rate rounded up to one atom', () => {
  fc.assert(
    fc.property(anyAtoms, anyPpm, (received, ppm) => {
      const fee = feeAtoms(received, ppm);
      assert.equal(fee, (received * BigInt(ppm) + 999_999n) / 1_000_000n);
      assert.ok(fee <= received);
    }),
  );
});

test('fees are exact at the limits', () => {
  const cases: readonly [bigint, number, bigint][] = [
    [0n, 500_000, 0n],
    [1n, 0, 0n],
    [1n, 1, 1n],
    [2n, 500_000, 1n],
    [1_000_000n, 1, 1n],
    [1_000_001n, 1, 2n],
    [ATOMS_MAX, 1_000_000, ATOMS_MAX],
    [ATOMS_MAX, 1, 4_611_686_018_428n],
  ];
  for (const [received, ppm, expected] of cases) {
    assert.equal(feeAtoms(received as Atoms, ppm as Ppm), expected, `${received} at ${ppm} ppm`);
  }
});

test('a discounted rate is rate × (1 − discount), rounded up', () => {
  fc.assert(
    fc.property(anyPpm, anyPpm, (rate, discount) => {
      const exact = (BigInt(rate) * BigInt(1_000_000 - discount) + 999_999n) / 1_000_000n;
      assert.equal(discountedPpm(rate, discount), Number(exact));
    }),
  );
});
