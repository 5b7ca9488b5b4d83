// Notionals against plain bigint products, up to the largest that listing allows.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { baseAtoms, quoteAtoms } from './notional.ts';
import { ATOMS_MAX, type Atoms, type Lots, type Ticks } from './units.ts';

const anySafe = fc.oneof(
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  fc.integer({ min: 0, max: 1_000 }),
);

test('a notional is the exact product of its three factors', () => {
  fc.assert(
    fc.property(anySafe, anySafe, fc.bigInt({ min: 0n, max: ATOMS_MAX }), (ticks, lots, factor) => {
      const others = BigInt(ticks) * BigInt(lots);
      const tickLot = (others === 0n ? factor : factor % (ATOMS_MAX / others + 1n)) as Atoms;
      fc.pre(tickLot * others <= ATOMS_MAX);
      assert.equal(quoteAtoms(tickLot, ticks as Ticks, lots as Lots), tickLot * others);
    }),
  );
});

test('a size in base atoms is the exact product of lot and lots', () => {
  fc.assert(
    fc.property(anySafe, fc.bigInt({ min: 0n, max: ATOMS_MAX }), (lots, factor) => {
      const lot = (lots === 0 ? factor : factor % (ATOMS_MAX / BigInt(lots) + 1n)) as Atoms;
      assert.equal(baseAtoms(lot, lots as Lots), lot * BigInt(lots));
    }),
  );
});
