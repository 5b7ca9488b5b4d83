// Prices become ticks and sizes become lots: away from the other side, never above what was meant.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lotsOf, ticksAt } from './agent-market.ts';
import { DEMO_MARKETS } from './population.ts';

const [BTC_USDT] = DEMO_MARKETS;

test("a buyer's price is rounded down and a seller's up", () => {
  assert.equal(ticksAt(BTC_USDT, 60_000.019, 'buy'), 6_000_001);
  assert.equal(ticksAt(BTC_USDT, 60_000.011, 'sell'), 6_000_002);
  assert.equal(ticksAt(BTC_USDT, 0.07, 'buy'), 7);
  assert.equal(ticksAt(BTC_USDT, 0.07, 'sell'), 7);
  assert.equal(ticksAt(BTC_USDT, 0.000_1, 'buy'), 1);
});

test('a size is rounded down, and a size that is too small is 0', () => {
  assert.equal(lotsOf(BTC_USDT, 0.000_29), 2);
  assert.equal(lotsOf(BTC_USDT, 0.000_3), 3);
  assert.equal(lotsOf(BTC_USDT, 0.000_09), 0);
  assert.equal(lotsOf({ ...BTC_USDT, maxLots: 5 }, 1), 5);
});
