// Band and slippage edges against exact rational arithmetic, for small and for huge prices.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ticksDown, ticksUp } from './price-offsets.ts';
import type { Ppm, Ticks } from './units.ts';

const anyTicks = fc
  .oneof(fc.maxSafeNat(), fc.integer({ min: 1, max: 10_000_000 }))
  .map((value) => value as Ticks);
const anyPpm = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value as Ppm);

test('ticksUp is the floor of the exact product, capped at the largest safe integer', () => {
  fc.assert(
    fc.property(anyTicks, anyPpm, (ticks, ppm) => {
      const exact = (BigInt(ticks) * BigInt(1_000_000 + ppm)) / 1_000_000n;
      const capped = exact > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(exact);
      assert.equal(ticksUp(ticks, ppm), capped);
    }),
  );
});

test('ticksDown is the ceiling of the exact product', () => {
  fc.assert(
    fc.property(anyTicks, anyPpm, (ticks, ppm) => {
      const exact = (BigInt(ticks) * BigInt(1_000_000 - ppm) + 999_999n) / 1_000_000n;
      assert.equal(ticksDown(ticks, ppm), Number(exact));
    }),
  );
});

test('products next to the largest safe integer, where a double could round, are exact', () => {
  for (let ticks = 9_007_199_254; ticks > 9_007_199_200; ticks--) {
    const up = (BigInt(ticks) * 1_000_001n) / 1_000_000n;
    const down = (BigInt(ticks) * 999_999n + 999_999n) / 1_000_000n;
    assert.equal(ticksUp(ticks as Ticks, 1 as Ppm), Number(up));
    assert.equal(ticksDown(ticks as Ticks, 1 as Ppm), Number(down));
  }
});
