// Tests book walks against the same walk one lot at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Atoms, Lots, Ticks } from '../../../core/money/index.ts';
import { type BookLevel, walkLots, walkQuote } from './walk-book.ts';

const anyLevels = fc.array(
  fc.record({
    priceTicks: fc.integer({ min: 1, max: 50 }),
    sizeLots: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 5 },
) as fc.Arbitrary<BookLevel[]>;
const TICK_LOT = 3n as Atoms;

/** Price of each lot, one after another. */
function lotCosts(levels: readonly BookLevel[]): bigint[] {
  return levels.flatMap(({ priceTicks, sizeLots }) =>
    Array.from({ length: sizeLots }, () => TICK_LOT * BigInt(priceTicks)),
  );
}

test('walking a size equals walking its lots one by one', () => {
  fc.assert(
    fc.property(anyLevels, fc.nat(60), (levels, lots) => {
      const costs = lotCosts(levels).slice(0, lots);
      assert.deepEqual(walkLots(levels, TICK_LOT, lots as Lots), {
        sizeLots: costs.length,
        quoteAtoms: costs.reduce((sum, cost) => sum + cost, 0n),
        isShort: costs.length < lots,
      });
    }),
  );
});

test('an amount buys the lots that it can pay for one after another', () => {
  fc.assert(
    fc.property(anyLevels, fc.bigInt({ min: 1n, max: 4_000n }), (levels, amount) => {
      const costs = lotCosts(levels);
      let spent = 0n;
      let lots = 0;
      while (lots < costs.length && spent + costs[lots] <= amount) spent += costs[lots++];
      assert.deepEqual(walkQuote(levels, TICK_LOT, amount as Atoms), {
        sizeLots: lots,
        quoteAtoms: spent,
        isShort: lots === costs.length && spent < amount,
      });
    }),
  );
});

test('numbers beyond the safe integers stay exact', () => {
  const level = { priceTicks: 9_007_199_254_740_991 as Ticks, sizeLots: 500 as Lots };
  const { quoteAtoms } = walkLots([level], 1n as Atoms, 500 as Lots);
  assert.equal(quoteAtoms, 4_503_599_627_370_495_500n);
});
