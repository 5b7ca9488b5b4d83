// The fair value: one seed gives one path, pairs agree exactly, and days move as days do.

import assert from 'node:assert/strict';
import test from 'node:test';
import { FairValue } from './fair-value.ts';
import { season } from './season.ts';

const FROM_MS = Date.UTC(2026, 10, 2);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function pathOf(options: Partial<ConstructorParameters<typeof FairValue>[0]>, minutes: number) {
  const fair = new FairValue({ seed: 3, fromMs: FROM_MS, ...options });
  return Array.from({ length: minutes }, (_, at) => {
    fair.advanceTo(FROM_MS + (at + 1) * MINUTE_MS);
    return fair.price('btc', 'usdt');
  });
}

function volatilityOfDay(path: readonly number[]): number {
  const squares = path.slice(1).map((price, at) => Math.log(price / path[at]) ** 2);
  return Math.sqrt((squares.reduce((a, b) => a + b, 0) / squares.length) * 1_440);
}

test('the same seed produces the same path, however it is advanced', () => {
  const [fine, coarse] = [1, 2].map(() => new FairValue({ seed: 5, fromMs: FROM_MS }));
  for (let ms = 0; ms <= 10 * MINUTE_MS; ms += 137) fine.advanceTo(FROM_MS + ms);
  coarse.advanceTo(FROM_MS + 10 * MINUTE_MS);
  fine.advanceTo(FROM_MS + 10 * MINUTE_MS);
  for (const symbol of ['btc', 'eth', 'rlt', 'eur']) {
    assert.equal(fine.price(symbol, 'usdt'), coarse.price(symbol, 'usdt'));
  }
  assert.notDeepEqual(pathOf({ seed: 1 }, 3), pathOf({ seed: 2 }, 3));
});

test("a pair's value equals the path through a third asset", () => {
  const fair = new FairValue({ seed: 5, fromMs: FROM_MS });
  fair.advanceTo(FROM_MS + DAY_MS / 24);
  for (const agoMs of [0, 2_500]) {
    const through = fair.price('btc', 'usdt', agoMs) * fair.price('usdt', 'eur', agoMs);
    assert.ok(Math.abs(fair.price('btc', 'eur', agoMs) / through - 1) < 1e-12);
  }
});

test("a look at an earlier second returns that second's price", () => {
  const fair = new FairValue({ seed: 5, fromMs: FROM_MS });
  fair.advanceTo(FROM_MS + MINUTE_MS);
  const before = fair.price('eth', 'usdt');
  fair.advanceTo(FROM_MS + MINUTE_MS + 3_000);
  assert.equal(fair.price('eth', 'usdt', 3_000), before);
  assert.notEqual(fair.price('eth', 'usdt'), before);
});

test('regimes set the daily volatility', () => {
  const days = (['calm', 'normal', 'wild'] as const).map((regime) =>
    volatilityOfDay(pathOf({ regime }, 1_440)),
  );
  const [calm, normal, wild] = days;
  assert.ok(calm < normal && normal < wild, days.join());
  assert.ok(calm > 0.005 && wild < 0.12, days.join());
});

test('a drift moves the price', () => {
  const rises = pathOf({ drift: 0.02 }, 720).at(-1)! / pathOf({}, 720).at(-1)!;
  assert.ok(rises > 1.04 && rises < 1.1, String(rises));
});

test('the afternoon is busier than the night', () => {
  assert.equal(season(Date.UTC(2026, 10, 2, 3, 30)), 0.6);
  assert.equal(season(Date.UTC(2026, 10, 2, 14, 30)), 1.5);
  assert.equal(season(Date.UTC(2026, 10, 2, 0, 0)), 0.875);
});

test('an unknown asset has no fair value', () => {
  const fair = new FairValue({ seed: 5, fromMs: FROM_MS });
  assert.throws(() => fair.price('doge', 'usdt'), /no fair value for 'doge'/);
});
