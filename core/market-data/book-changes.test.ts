// Books kept from a full book and the changes after it, against the engine's own: levels, and
// single orders by priority. The full book may be taken at any moment between changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive, FLOW_NAMES, type FlowName, Random } from '../../testing/flows/index.ts';
import { makeEngine, type TestedEngine } from '../../testing/properties/tested-exchange.ts';
import type { MarketId, OrderNumber } from '../money/index.ts';
import { MarketData } from './market-data.ts';
import { PriceLevels } from './price-levels.ts';
import type { RestingOrder } from './resting-orders.ts';
import { MarketDataRestorer, saveMarketData } from './saved-market-data.ts';

/** A subscriber's copy of a market. */
class Copy {
  readonly market: MarketId;
  readonly bids = new PriceLevels('bids');
  readonly asks = new PriceLevels('asks');
  readonly orders = new Map<OrderNumber, RestingOrder>();

  constructor(data: MarketData, market: MarketId) {
    this.market = market;
    const { asks, bids } = data.orders.topOf(market, Number.POSITIVE_INFINITY);
    for (const { priceTicks, totalLots } of bids) this.bids.set(priceTicks, totalLots);
    for (const { priceTicks, totalLots } of asks) this.asks.set(priceTicks, totalLots);
    for (const order of data.orders.restingOrders(market))
      this.orders.set(order.order, copy(order));
  }
}

function copy({ order, priceTicks, remainingLots, side }: RestingOrder): RestingOrder {
  return { order, side, priceTicks, remainingLots };
}

/** Applies the changes to every copy, however old. Returns the number of changes. */
function spread(data: MarketData, market: MarketId, copies: readonly Copy[]): number {
  const levels = data.orders.takeLevelChanges(market);
  const { changed, closed, opened } = data.orders.takeOrderChanges(market);
  for (const { asks, bids, orders } of copies) {
    for (const { priceTicks, totalLots } of levels.bids) bids.set(priceTicks, totalLots);
    for (const { priceTicks, totalLots } of levels.asks) asks.set(priceTicks, totalLots);
    for (const order of closed) orders.delete(order);
    for (const order of changed) {
      assert.ok(orders.has(order.order), 'a changed order exists already');
      orders.set(order.order, copy(order));
    }
    for (const order of opened) {
      orders.delete(order.order);
      orders.set(order.order, copy(order));
    }
  }
  return levels.bids.length + levels.asks.length + closed.length + changed.length + opened.length;
}

function compare(engine: TestedEngine, { asks, bids, market, orders }: Copy): void {
  const book = engine.book(market);
  for (const [side, levels, found] of [
    ['buy', bids, book.bids],
    ['sell', asks, book.asks],
  ] as const) {
    const expected = found.map((level) => {
      const totalLots = level.orders.reduce((sum, { remainingLots: l }) => sum + BigInt(l), 0n);
      return { priceTicks: level.priceTicks, totalLots };
    });
    assert.deepEqual(levels.top(Number.POSITIVE_INFINITY), expected);
    const own = [...orders.values()].filter((order) => order.side === side);
    const queues = found.flatMap((level) =>
      level.orders.map(({ order, remainingLots }) => [level.priceTicks, order, remainingLots]),
    );
    const worse = side === 'buy' ? -1 : 1;
    // The sort is stable.
    const sorted = own.toSorted((a, b) => worse * (a.priceTicks - b.priceTicks));
    assert.deepEqual(
      sorted.map(({ order, priceTicks, remainingLots }) => [priceTicks, order, remainingLots]),
      queues,
    );
  }
}

function restored(data: MarketData): MarketData {
  const restorer = new MarketDataRestorer();
  for (const row of saveMarketData(data)) restorer.take(JSON.parse(JSON.stringify(row)));
  return restorer.finish();
}

function compareFlow(flow: FlowName, seed: number, commands: number): number {
  const engine = makeEngine();
  const random = new Random(seed);
  let data = new MarketData();
  let copies: Copy[] = [];
  let changeCount = 0;
  for (const { seen } of drive({ flow, seed, commands, apply: engine.apply })) {
    for (const event of seen.events) data.apply(event, seen.timeMs);
    if (random.chance(2)) {
      // Another publisher takes over, and every copy starts from a new full book.
      data = restored(data);
      copies = [];
    }
    for (const market of data.markets.keys()) {
      data.orders.trackLevels(market);
      data.orders.trackOrders(market);
      const own = copies.filter((kept) => kept.market === market);
      if (own.length < 3 && random.chance(20)) copies.push(new Copy(data, market));
      // Sometimes several frames become one change.
      if (!random.chance(60)) continue;
      const all = copies.filter((kept) => kept.market === market);
      changeCount += spread(data, market, all);
      for (const kept of all) compare(engine, kept);
    }
  }
  return changeCount;
}

for (const flow of FLOW_NAMES) {
  test(`a full book and the changes after it equal the engine's book: ${flow}`, () => {
    const commands = flow === 'filling' ? 12_000 : 2_500;
    for (const seed of [1, 2]) assert.ok(compareFlow(flow, seed, commands) > 0);
  });
}

test('changes are tracked only on request, starting at the request', () => {
  const engine = makeEngine();
  const data = new MarketData();
  const market = 1 as MarketId;
  for (const { seen } of drive({ flow: 'calm', seed: 3, commands: 500, apply: engine.apply })) {
    for (const event of seen.events) data.apply(event, seen.timeMs);
  }
  assert.deepEqual(data.orders.takeLevelChanges(market), { bids: [], asks: [] });
  assert.throws(() => data.orders.takeOrderChanges(market), /tracked markets/);
  data.orders.trackLevels(market);
  data.orders.trackOrders(market);
  assert.deepEqual(data.orders.takeLevelChanges(market), { bids: [], asks: [] });
  assert.deepEqual(data.orders.takeOrderChanges(market), { closed: [], changed: [], opened: [] });
  assert.ok([...data.orders.restingOrders(market)].length > 0);
  data.orders.untrackLevels(market);
  data.orders.untrackOrders(market);
  assert.throws(() => data.orders.restingOrders(market), /tracked markets/);
});
