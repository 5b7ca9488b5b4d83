// Market of agents in virtual time: one seed produces one state, and each mode has its effect.

import assert from 'node:assert/strict';
import test from 'node:test';
import { deviation, returns } from './series.ts';
import { simulate } from './simulate.ts';

const QUARTER = 0.25;

test('the same seed produces the same state, and another seed a different one', () => {
  const [one, again, other] = [11, 11, 12].map((seed) => simulate({ seed, hours: 0.05 }));
  assert.equal(one.stateHash, again.stateHash);
  assert.equal(one.commands, again.commands);
  assert.notEqual(one.stateHash, other.stateHash);
  assert.ok(one.record.trades.length > 10);
});

test('agents have funds for all their orders, and both sides of the book are quoted', () => {
  const { exchange, record } = simulate({ seed: 13, hours: QUARTER });
  assert.equal(record.refused, 0);
  for (const market of exchange.markets) {
    const sides = [true, false].map((sells) => exchange.books.bestOppositeTicks(market.id, sells));
    assert.ok(sides[0] > 0 && sides[0] < sides[1], `market ${market.id}: ${sides}`);
  }
});

test('a rate of three sends about three times as many orders', () => {
  const [one, three] = [1, 3].map((rate) => simulate({ seed: 14, hours: 0.1, rate }).commands);
  const ratio = three / one;
  assert.ok(ratio > 2 && ratio < 4, String(ratio));
});

test('a wild market moves more than a calm one', () => {
  const moves = (['calm', 'wild'] as const).map((mode) => {
    const { record } = simulate({ seed: 15, hours: QUARTER, mode });
    return deviation(returns(record.mids, 10));
  });
  assert.ok(moves[1] > 2 * moves[0], moves.join());
});

test('a trending market rises', () => {
  const ends = (['normal', 'trending'] as const).map(
    (mode) => simulate({ seed: 16, hours: QUARTER, mode }).record.mids.at(-1)!,
  );
  assert.ok(ends[1] > ends[0], ends.join());
});

test('a flash crash falls by about its target, stops and recovers', () => {
  const { record } = simulate({ seed: 17, hours: QUARTER, mode: 'flash-crash' });
  const before = record.mids[115];
  const low = Math.min(...record.mids);
  const after = record.mids.at(-1)!;
  assert.ok(low < before * 0.985, `low ${low / before}`);
  assert.ok(low > before * 0.9, `low ${low / before}`);
  assert.ok(Math.abs(after / before - 1) < 0.01, `after ${after / before}`);
});

test('a canceling market cancels 95% of its resting orders, and has many more', () => {
  const [usual, cancelling] = (['normal', 'cancelling'] as const).map((mode) =>
    simulate({ seed: 18, hours: 0.03, mode }),
  );
  const { cancelled, filled } = cancelling.record;
  assert.ok(cancelled / (cancelled + filled) >= 0.95);
  assert.ok(cancelling.commands > 3 * usual.commands);
});
