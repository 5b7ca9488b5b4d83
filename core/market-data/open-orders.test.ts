// The book derived from events against the engine's own, after every frame of every flow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive, FLOW_NAMES, type FlowName } from '../../testing/flows/index.ts';
import { makeEngine, type TestedEngine } from '../../testing/properties/tested-exchange.ts';
import type { EventFrame } from '../messages/index.ts';
import type { Lots, MarketId, Ticks } from '../money/index.ts';
import { OpenOrders } from './open-orders.ts';
import { foldOrderEvent } from './order-fold.ts';
import { PriceLevels } from './price-levels.ts';

const DEPTH = 1_000_000;

/** The engine's book, with the orders of each price added up. */
function engineBook(engine: TestedEngine, market: number) {
  const { asks, bids, stops } = engine.book(market);
  const totals = (levels: typeof bids) =>
    levels.map(({ orders, priceTicks }) => ({
      priceTicks,
      totalLots: orders.reduce((sum, { remainingLots }) => sum + BigInt(remainingLots), 0n),
    }));
  const resting = [...bids, ...asks].flatMap(({ orders }) => orders);
  return { bids: totals(bids), asks: totals(asks), open: [...resting, ...stops] };
}

function compareFlow(flow: FlowName, seed: number, commands: number): number {
  const engine = makeEngine();
  const orders = new OpenOrders();
  const markets = new Set<MarketId>();
  let levels = 0;
  for (const { seen } of drive({ flow, seed, commands, apply: engine.apply })) {
    const { events, timeMs }: EventFrame = seen;
    for (const event of events) {
      if (event.kind === 'MarketListed') markets.add(event.market);
      foldOrderEvent(event, timeMs, orders);
    }
    const open = new Map<number, number>();
    for (const market of markets) {
      const { asks, bids, open: found } = engineBook(engine, market);
      assert.deepEqual(orders.topOf(market, DEPTH), { bids, asks });
      assert.deepEqual(orders.topOf(market, 2).asks, asks.slice(0, 2));
      levels += bids.length + asks.length;
      for (const { order, remainingLots } of found) open.set(order, remainingLots);
    }
    const known = new Map<number, number>();
    for (const { order, remainingLots } of orders.all()) known.set(order, remainingLots);
    assert.deepEqual(known, open);
  }
  return levels;
}

for (const flow of FLOW_NAMES) {
  test(`the book from events of the ${flow} flow equals the engine's, after every frame`, () => {
    // The filling flow places no order before everything else is filled.
    const commands = flow === 'filling' ? 12_000 : 2_500;
    for (const seed of [1, 2]) assert.ok(compareFlow(flow, seed, commands) > 0);
  });
}

test('totals at one price can exceed the safe integers', () => {
  const levels = new PriceLevels('asks');
  const most = Number.MAX_SAFE_INTEGER as Lots;
  for (let count = 0; count < 3; count += 1) levels.add(7 as Ticks, most);
  levels.take(7 as Ticks, 1 as Lots);
  const totalLots = 3n * BigInt(most) - 1n;
  assert.deepEqual(levels.top(10), [{ priceTicks: 7, totalLots }]);
});

test('taking more than the total at a price fails', () => {
  const levels = new PriceLevels('bids');
  levels.add(7 as Ticks, 5 as Lots);
  assert.throws(() => levels.take(7 as Ticks, 6 as Lots), /no more leaves a price/);
});
