// The books alone, with a settlement that only writes down what it is told: who meets whom, at
// what price, in what order, and why matching ended. What that means in money is the engine's.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { SELF_TRADE_MODES, type SelfTradeMode } from '../messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { Books, type MatchEnd, type MatchListener, type MatchResult, type Walk } from './books.ts';
import { packTerms, READY, RESTING, WAITING } from './orders.ts';

const MARKET = 1;

interface Entry {
  readonly number: number;
  readonly user?: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly lots: number;
  readonly selfTrade?: SelfTradeMode;
  readonly stop?: number;
  readonly market?: number;
}

/** Books for one test, and the words of their settlement. */
class Stand {
  readonly books = new Books({ ordersMax: 400, marketsMax: 3, usersMax: 20 });
  readonly told: string[] = [];
  readonly #listener: MatchListener = {
    fill: (maker, taker, price, lots) => {
      const { orders } = this.books;
      this.told.push(`${orders.number(taker)} meets ${orders.number(maker)}: ${lots} at ${price}`);
    },
    makerClosed: (maker, reason) => {
      this.told.push(`${this.books.orders.number(maker)} closes: ${reason}`);
      this.books.orders.remove(maker);
    },
  };

  add(entry: Entry): number {
    const { number, user = number, side, price, lots, selfTrade = 'cancel_newest' } = entry;
    const { orders } = this.books;
    const terms = packTerms({
      sells: side === 'sell',
      isMarket: false,
      postOnly: false,
      quick: false,
      timeInForce: 0,
      selfTrade: SELF_TRADE_MODES.indexOf(selfTrade),
    });
    const slot = orders.add(number as OrderNumber, entry.market ?? MARKET, user, terms);
    orders.setPriceTicks(slot, price as Ticks);
    orders.setSizeLots(slot, lots as Lots);
    orders.setRemainingLots(slot, lots as Lots);
    orders.setStopTicks(slot, (entry.stop ?? 0) as Ticks);
    return slot;
  }

  rest(entry: Entry): number {
    const slot = this.add(entry);
    this.books.rest(slot);
    return slot;
  }

  wait(entry: Entry): number {
    const slot = this.add(entry);
    this.books.wait(slot);
    return slot;
  }

  match(entry: Entry, fillsMax = 100): MatchEnd {
    return this.matchResult(entry, fillsMax).end;
  }

  matchResult(entry: Entry, fillsMax: number): MatchResult {
    const slot = this.add(entry);
    return this.books.match(slot, entry.price, fillsMax, this.#listener);
  }

  walk({ side, user = 0, price, lots, selfTrade = 'cancel_newest' }: Entry, fillsMax = 100): Walk {
    const mode = SELF_TRADE_MODES.indexOf(selfTrade);
    const request = { market: MARKET, sells: side === 'sell', user, selfTrade: mode };
    return this.books.walk({ ...request, worstTicks: price, lots, fillsMax });
  }

  /** Numbers and sizes of a side, best first, in queue order. */
  resting(side: 'buy' | 'sell', market = MARKET): string {
    return this.#queues(market, side === 'buy' ? 0 : 1);
  }

  waiting(side: 'buy' | 'sell', market = MARKET): string {
    return this.#queues(market, side === 'buy' ? 2 : 3);
  }

  ready(market = MARKET): number[] {
    const numbers: number[] = [];
    const { orders } = this.books;
    let order = this.books.firstReady(market);
    for (; order !== NONE; order = orders.behind(order)) numbers.push(orders.number(order));
    return numbers;
  }

  #queues(market: number, tree: number): string {
    const { levels, orders } = this.books;
    const words: string[] = [];
    let level = levels.best(this.books.treesOf(market as never)[tree]);
    for (; level !== NONE; level = levels.after(level)) {
      let order = levels.first(level);
      for (; order !== NONE; order = orders.behind(order)) {
        words.push(`${orders.number(order)}×${orders.remainingLots(order)}`);
      }
    }
    return words.join(' ');
  }
}

function asks(...entries: [number, number, number][]): Stand {
  const stand = new Stand();
  for (const [number, price, lots] of entries) stand.rest({ number, side: 'sell', price, lots });
  return stand;
}

function bids(...entries: [number, number, number][]): Stand {
  const stand = new Stand();
  for (const [number, price, lots] of entries) stand.rest({ number, side: 'buy', price, lots });
  return stand;
}

const MATCHES: {
  readonly name: string;
  readonly stand: () => Stand;
  readonly taker: Entry;
  readonly fillsMax?: number;
  readonly end: MatchEnd;
  readonly told: readonly string[];
  readonly left: string;
}[] = [
  {
    name: 'a buy takes the cheapest first, at the price of who rests, and the first come first',
    stand: () => asks([1, 103, 1], [2, 101, 2], [3, 102, 5], [4, 101, 1]),
    taker: { number: 9, side: 'buy', price: 102, lots: 4 },
    end: 'filled',
    told: [
      '9 meets 2: 2 at 101',
      '2 closes: filled',
      '9 meets 4: 1 at 101',
      '4 closes: filled',
      '9 meets 3: 1 at 102',
    ],
    left: '3×4 1×1',
  },
  {
    name: 'a sell takes the dearest first',
    stand: () => bids([1, 97, 1], [2, 99, 2], [3, 98, 5], [4, 99, 1]),
    taker: { number: 9, side: 'sell', price: 98, lots: 4 },
    end: 'filled',
    told: [
      '9 meets 2: 2 at 99',
      '2 closes: filled',
      '9 meets 4: 1 at 99',
      '4 closes: filled',
      '9 meets 3: 1 at 98',
    ],
    left: '3×4 1×1',
  },
  {
    name: 'an order meets its own price and nothing beyond',
    stand: () => asks([1, 101, 1], [2, 102, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 2 },
    end: 'met_nothing_more',
    told: ['9 meets 1: 1 at 101', '1 closes: filled'],
    left: '2×1',
  },
  {
    name: 'the last fill that is allowed may fill the order',
    stand: () => asks([1, 101, 1], [2, 101, 1], [3, 101, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 2 },
    fillsMax: 2,
    end: 'filled',
    told: ['9 meets 1: 1 at 101', '1 closes: filled', '9 meets 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
  {
    name: 'one more order to meet than fills allowed ends the matching',
    stand: () => asks([1, 101, 1], [2, 101, 1], [3, 101, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 3 },
    fillsMax: 2,
    end: 'fills_per_command_reached',
    told: ['9 meets 1: 1 at 101', '1 closes: filled', '9 meets 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
  {
    name: 'as many fills as allowed and nothing more to meet is no limit reached',
    stand: () => asks([1, 101, 1], [2, 101, 1], [3, 102, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 3 },
    fillsMax: 2,
    end: 'met_nothing_more',
    told: ['9 meets 1: 1 at 101', '1 closes: filled', '9 meets 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
];

for (const { name, stand: open, taker, fillsMax, end, told, left } of MATCHES) {
  test(name, () => {
    const stand = open();
    const expected = stand.walk(taker, fillsMax);
    assert.equal(stand.match(taker, fillsMax), end);
    assert.deepEqual(stand.told, told);
    assert.equal(stand.resting(taker.side === 'buy' ? 'sell' : 'buy'), left);
    const taken = stand.books.orders.find(taker.number as OrderNumber);
    assert.equal(taker.lots - stand.books.orders.remainingLots(taken), expected.lots);
  });
}

const OWN: Record<SelfTradeMode, { end: MatchEnd; told: string[]; left: string; walked: number }> =
  {
    off: {
      end: 'filled',
      told: ['9 meets 1: 1 at 101', '1 closes: filled', '9 meets 2: 1 at 101'],
      left: '2×1',
      walked: 2,
    },
    cancel_newest: { end: 'self_trade_prevented', told: [], left: '1×1 2×2', walked: 0 },
    cancel_oldest: {
      end: 'filled',
      told: ['1 closes: self_trade_prevented', '9 meets 2: 2 at 101', '2 closes: filled'],
      left: '',
      walked: 2,
    },
    cancel_both: {
      end: 'self_trade_prevented',
      told: ['1 closes: self_trade_prevented'],
      left: '2×2',
      walked: 0,
    },
  };

for (const selfTrade of SELF_TRADE_MODES) {
  test(`a user's own order, mode ${selfTrade}`, () => {
    const { end, told, left, walked } = OWN[selfTrade];
    const stand = new Stand();
    stand.rest({ number: 1, user: 7, side: 'sell', price: 101, lots: 1, selfTrade: 'off' });
    stand.rest({ number: 2, user: 8, side: 'sell', price: 101, lots: 2 });
    const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 2, selfTrade };
    assert.equal(stand.walk(taker).lots, walked);
    assert.equal(stand.match(taker), end);
    assert.deepEqual(stand.told, told);
    assert.equal(stand.resting('sell'), left);
  });
}

const GROUPS: readonly [number, number, SelfTradeMode, MatchEnd][] = [
  [5, 5, 'off', 'self_trade_prevented'],
  [5, 5, 'cancel_newest', 'self_trade_prevented'],
  [5, 5, 'cancel_oldest', 'met_nothing_more'],
  [5, 5, 'cancel_both', 'self_trade_prevented'],
  [5, 6, 'cancel_newest', 'filled'],
  [0, 0, 'cancel_newest', 'filled'],
  [5, 0, 'cancel_newest', 'filled'],
  [0, 5, 'cancel_newest', 'filled'],
];

for (const [takerGroup, makerGroup, selfTrade, end] of GROUPS) {
  test(`groups ${takerGroup} and ${makerGroup}, mode ${selfTrade}: ${end}`, () => {
    const stand = new Stand();
    stand.books.groups[7] = takerGroup;
    stand.books.groups[8] = makerGroup;
    stand.rest({ number: 1, user: 8, side: 'sell', price: 101, lots: 1 });
    const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 1, selfTrade };
    assert.equal(stand.walk(taker).lots, end === 'filled' ? 1 : 0);
    assert.equal(stand.match(taker), end);
  });
}

test('own orders that are skipped do not count as fills', () => {
  const stand = new Stand();
  for (const number of [1, 2, 3]) {
    stand.rest({ number, user: 7, side: 'sell', price: 101, lots: 1 });
  }
  stand.rest({ number: 4, user: 8, side: 'sell', price: 101, lots: 1 });
  const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 1 };
  assert.equal(stand.match({ ...taker, selfTrade: 'cancel_oldest' }, 1), 'filled');
});

test('what a walk finds is what the match then fills, in any book', () => {
  const random = new Random(chosenSeed());
  for (let round = 0; round < 400; round++) {
    const stand = new Stand();
    for (let user = 1; user <= 6; user++) stand.books.groups[user] = random.pick([0, 0, 3, 4]);
    const entryOf = (number: number, side: Entry['side']): Entry => ({
      number,
      side,
      user: random.between(1, 6),
      price: random.between(98, 104),
      lots: random.between(1, 9),
      selfTrade: random.pick(SELF_TRADE_MODES),
    });
    const makers = random.between(0, 20);
    const side = random.pick(['buy', 'sell'] as const);
    for (let number = 1; number <= makers; number++) {
      stand.rest(entryOf(number, side === 'buy' ? 'sell' : 'buy'));
    }
    const taker = { ...entryOf(99, side), lots: random.between(1, 60) };
    const fillsMax = random.between(1, 8);
    const { lots, tickLots } = stand.walk(taker, fillsMax);
    const { end, lowestTicks, highestTicks } = stand.matchResult(taker, fillsMax);
    const fills = stand.told.flatMap((line) => {
      const [, size, price] = /: (\d+) at (\d+)$/.exec(line) ?? [];
      return size === undefined ? [] : [{ size: Number(size), price: Number(price) }];
    });
    assert.equal(
      lots,
      fills.reduce((sum, { size }) => sum + size, 0),
    );
    const cost = fills.reduce((sum, { size, price }) => sum + size * price, 0);
    assert.equal(tickLots, BigInt(cost));
    assert.equal(end === 'filled', lots === taker.lots);
    const prices = fills.map(({ price }) => price);
    if (prices.length === 0) assert.ok(lowestTicks > highestTicks, 'no trade, no range');
    else assert.deepEqual([lowestTicks, highestTicks], [Math.min(...prices), Math.max(...prices)]);
    for (const tree of stand.books.treesOf(MARKET as never)) stand.books.levels.audit(tree);
  }
});

test('a walk adds up beyond what a double holds', () => {
  const largest = 2 ** 31;
  const stand = asks([1, largest, largest - 1]);
  const { tickLots } = stand.walk({ number: 9, side: 'buy', price: largest, lots: largest - 1 });
  assert.equal(tickLots, 4_611_686_016_279_904_256n);
});

test('the books of two markets know nothing of each other', () => {
  const stand = new Stand();
  stand.rest({ number: 1, side: 'sell', price: 101, lots: 1, market: 2 });
  assert.equal(stand.match({ number: 9, side: 'buy', price: 200, lots: 1 }), 'met_nothing_more');
  assert.equal(stand.books.bestOppositeTicks(1, false), 0);
  assert.equal(stand.books.bestOppositeTicks(2, false), 101);
});

test('the best opposite price is the lowest ask for a buy and the highest bid for a sell', () => {
  const stand = asks([1, 105, 1], [2, 103, 1], [3, 104, 1]);
  for (const [number, price] of [
    [4, 98],
    [5, 99],
    [6, 97],
  ]) {
    stand.rest({ number, side: 'buy', price, lots: 1 });
  }
  assert.equal(stand.books.bestOppositeTicks(MARKET, false), 103);
  assert.equal(stand.books.bestOppositeTicks(MARKET, true), 99);
});

test('an order may leave from the front, the middle and the end of its price', () => {
  for (const [gone, left] of [
    [1, '2×1 3×1'],
    [2, '1×1 3×1'],
    [3, '1×1 2×1'],
  ] as const) {
    const stand = asks([1, 101, 1], [2, 101, 1], [3, 101, 1]);
    stand.books.leave(stand.books.orders.find(gone as OrderNumber));
    assert.equal(stand.resting('sell'), left);
    stand.rest({ number: 4, side: 'sell', price: 101, lots: 1 });
    assert.equal(stand.resting('sell'), `${left} 4×1`);
  }
});

/** Buy stops at 103, 102, 103 (numbers 1 to 3), sell stops at 97, 98, 97 (numbers 4 to 6). */
function stops(): Stand {
  const stand = new Stand();
  for (const [at, stop] of [103, 102, 103].entries()) {
    stand.wait({ number: 1 + at, side: 'buy', price: 110, lots: 1, stop });
  }
  for (const [at, stop] of [97, 98, 97].entries()) {
    stand.wait({ number: 4 + at, side: 'sell', price: 90, lots: 1, stop });
  }
  return stand;
}

const TRIGGERS: readonly [string, number, number, readonly number[]][] = [
  ['nothing was traded', Number.MAX_SAFE_INTEGER, 0, []],
  ['trades stay between the stops', 99, 101, []],
  ['the nearest buy stop is met exactly', 99, 102, [2]],
  ['the nearest sell stop is met exactly', 98, 101, [5]],
  ['all buys are met: lowest stop first, at one price as placed', 99, 103, [2, 1, 3]],
  ['all sells are met: highest stop first, at one price as placed', 97, 101, [5, 4, 6]],
  ['both sides are met: buys before sells', 97, 103, [2, 1, 3, 5, 4, 6]],
];

for (const [name, lowest, highest, ready] of TRIGGERS) {
  test(`stops: ${name}`, () => {
    const stand = stops();
    const traded = { lowestTicks: lowest, highestTicks: highest };
    stand.books.triggerStops(MARKET, traded);
    assert.deepEqual(stand.ready(), ready);
    const { orders } = stand.books;
    for (let number = 1; number <= 6; number++) {
      const state = orders.state(orders.find(number as OrderNumber));
      assert.equal(state, ready.includes(number) ? READY : WAITING);
    }
    stand.books.triggerStops(2, traded);
    assert.deepEqual(stand.ready(2), [], 'another market has its own');
  });
}

test('later stops join the end of the ready queue', () => {
  const stand = stops();
  stand.books.triggerStops(MARKET, { lowestTicks: 98, highestTicks: 98 });
  stand.books.triggerStops(MARKET, { lowestTicks: 102, highestTicks: 102 });
  assert.deepEqual(stand.ready(), [5, 2]);
  assert.equal(stand.waiting('buy'), '1×1 3×1');
  assert.equal(stand.waiting('sell'), '4×1 6×1');
});

test('a ready stop may leave from the front, the middle and the end of the queue', () => {
  for (const [gone, left] of [
    [2, [1, 3]],
    [1, [2, 3]],
    [3, [2, 1]],
  ] as const) {
    const stand = stops();
    stand.books.triggerStops(MARKET, { lowestTicks: 99, highestTicks: 103 });
    const order = stand.books.orders.find(gone as OrderNumber);
    stand.books.leave(order);
    assert.deepEqual(stand.ready(), left);
    stand.books.joinReady(order);
    assert.deepEqual(stand.ready(), [...left, gone]);
  }
});

test('an order that rests again says so', () => {
  const stand = asks([1, 101, 1]);
  const order = stand.books.orders.find(1 as OrderNumber);
  stand.books.leave(order);
  assert.equal(stand.resting('sell'), '');
  stand.books.rest(order);
  assert.equal(stand.books.orders.state(order), RESTING);
});
