// The books alone, with a listener that only records its calls: which orders trade, at what price,
// in what order, and why matching ended. The engine's tests cover the money.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { SELF_TRADE_MODES, type SelfTradeMode } from '../messages/index.ts';
import type { Lots, MarketId, OrderNumber, Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { Books, type MatchEnd, type MatchLimits, type MatchListener, type Walk } from './books.ts';
import { packTerms, READY, RESTING, WAITING } from './orders.ts';

const MARKET = 1;
/** More than any book here has. */
const AMPLE: MatchLimits = { fillsPerCommandMax: 100, ownOrdersPerCommandMax: 100 };

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

/** The books of one test and the recorded calls of their listener. */
class BookTest {
  readonly books = new Books({ ordersMax: 400, marketsMax: 3, usersMax: 20 });
  readonly calls: string[] = [];
  readonly #listener: MatchListener = {
    fill: (maker, taker, price, lots) => {
      const { orders } = this.books;
      this.calls.push(`${orders.number(taker)} takes ${orders.number(maker)}: ${lots} at ${price}`);
    },
    makerClosed: (maker, reason) => {
      this.calls.push(`${this.books.orders.number(maker)} closes: ${reason}`);
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
      takesProfit: false,
      expires: false,
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

  match(entry: Entry, limits = AMPLE): MatchEnd {
    const slot = this.add(entry);
    return this.books.match(slot, entry.price, limits, this.#listener);
  }

  walk(entry: Entry, limits = AMPLE): Walk {
    const { side, user = 0, price, lots, selfTrade = 'cancel_newest' } = entry;
    const { fillsPerCommandMax: fillsMax, ownOrdersPerCommandMax: ownOrdersMax } = limits;
    const mode = SELF_TRADE_MODES.indexOf(selfTrade);
    const request = { market: MARKET, sells: side === 'sell', user, selfTrade: mode };
    return this.books.walk({ ...request, worstTicks: price, lots, fillsMax, ownOrdersMax });
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

function asks(...entries: [number, number, number][]): BookTest {
  const bookTest = new BookTest();
  for (const [number, price, lots] of entries) bookTest.rest({ number, side: 'sell', price, lots });
  return bookTest;
}

function bids(...entries: [number, number, number][]): BookTest {
  const bookTest = new BookTest();
  for (const [number, price, lots] of entries) bookTest.rest({ number, side: 'buy', price, lots });
  return bookTest;
}

/** Asks at one price: first those of user 7, then those of another. */
function ownAsks(own: readonly number[], others: readonly number[]): BookTest {
  const bookTest = new BookTest();
  const ask = { side: 'sell', price: 101, lots: 1 } as const;
  for (const number of own) bookTest.rest({ ...ask, number, user: 7 });
  for (const number of others) bookTest.rest({ ...ask, number, user: 8 });
  return bookTest;
}

const MATCHES: {
  readonly name: string;
  readonly bookTest: () => BookTest;
  readonly taker: Entry;
  readonly limits?: Partial<MatchLimits>;
  readonly end: MatchEnd;
  readonly calls: readonly string[];
  readonly left: string;
}[] = [
  {
    name: 'a buy takes the lowest asks first, at the makers’ prices, in order of arrival',
    bookTest: () => asks([1, 103, 1], [2, 101, 2], [3, 102, 5], [4, 101, 1]),
    taker: { number: 9, side: 'buy', price: 102, lots: 4 },
    end: 'filled',
    calls: [
      '9 takes 2: 2 at 101',
      '2 closes: filled',
      '9 takes 4: 1 at 101',
      '4 closes: filled',
      '9 takes 3: 1 at 102',
    ],
    left: '3×4 1×1',
  },
  {
    name: 'a sell takes the highest bids first',
    bookTest: () => bids([1, 97, 1], [2, 99, 2], [3, 98, 5], [4, 99, 1]),
    taker: { number: 9, side: 'sell', price: 98, lots: 4 },
    end: 'filled',
    calls: [
      '9 takes 2: 2 at 99',
      '2 closes: filled',
      '9 takes 4: 1 at 99',
      '4 closes: filled',
      '9 takes 3: 1 at 98',
    ],
    left: '3×4 1×1',
  },
  {
    name: 'an order trades up to its own price and not beyond',
    bookTest: () => asks([1, 101, 1], [2, 102, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 2 },
    end: 'met_nothing_more',
    calls: ['9 takes 1: 1 at 101', '1 closes: filled'],
    left: '2×1',
  },
  {
    name: 'the last allowed fill may complete the order',
    bookTest: () => asks([1, 101, 1], [2, 101, 1], [3, 101, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 2 },
    limits: { fillsPerCommandMax: 2 },
    end: 'filled',
    calls: ['9 takes 1: 1 at 101', '1 closes: filled', '9 takes 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
  {
    name: 'matching ends when another order remains after the last allowed fill',
    bookTest: () => asks([1, 101, 1], [2, 101, 1], [3, 101, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 3 },
    limits: { fillsPerCommandMax: 2 },
    end: 'fills_per_command_reached',
    calls: ['9 takes 1: 1 at 101', '1 closes: filled', '9 takes 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
  {
    name: 'using all allowed fills with no order left is not a reached limit',
    bookTest: () => asks([1, 101, 1], [2, 101, 1], [3, 102, 1]),
    taker: { number: 9, side: 'buy', price: 101, lots: 3 },
    limits: { fillsPerCommandMax: 2 },
    end: 'met_nothing_more',
    calls: ['9 takes 1: 1 at 101', '1 closes: filled', '9 takes 2: 1 at 101', '2 closes: filled'],
    left: '3×1',
  },
  {
    name: 'cancel_oldest cancels own orders up to the limit, and trades behind them',
    bookTest: () => ownAsks([1, 2], [3]),
    taker: { number: 9, side: 'buy', price: 101, lots: 1, user: 7, selfTrade: 'cancel_oldest' },
    limits: { ownOrdersPerCommandMax: 2 },
    end: 'filled',
    calls: [
      '1 closes: self_trade_prevented',
      '2 closes: self_trade_prevented',
      '9 takes 3: 1 at 101',
      '3 closes: filled',
    ],
    left: '',
  },
  {
    name: 'the next own order after the limit ends matching, though another could trade behind it',
    bookTest: () => ownAsks([1, 2, 3], [4]),
    taker: { number: 9, side: 'buy', price: 101, lots: 1, user: 7, selfTrade: 'cancel_oldest' },
    limits: { ownOrdersPerCommandMax: 2 },
    end: 'self_trade_prevented',
    calls: ['1 closes: self_trade_prevented', '2 closes: self_trade_prevented'],
    left: '3×1 4×1',
  },
];

for (const { name, bookTest: open, taker, limits: change, end, calls, left } of MATCHES) {
  test(name, () => {
    const bookTest = open();
    const limits = { ...AMPLE, ...change };
    const expected = bookTest.walk(taker, limits);
    assert.equal(bookTest.match(taker, limits), end);
    assert.deepEqual(bookTest.calls, calls);
    assert.equal(bookTest.resting(taker.side === 'buy' ? 'sell' : 'buy'), left);
    const taken = bookTest.books.orders.find(taker.number as OrderNumber);
    assert.equal(taker.lots - bookTest.books.orders.remainingLots(taken), expected.lots);
  });
}

const OWN: Record<SelfTradeMode, { end: MatchEnd; calls: string[]; left: string; walked: number }> =
  {
    off: {
      end: 'filled',
      calls: ['9 takes 1: 1 at 101', '1 closes: filled', '9 takes 2: 1 at 101'],
      left: '2×1',
      walked: 2,
    },
    cancel_newest: { end: 'self_trade_prevented', calls: [], left: '1×1 2×2', walked: 0 },
    cancel_oldest: {
      end: 'filled',
      calls: ['1 closes: self_trade_prevented', '9 takes 2: 2 at 101', '2 closes: filled'],
      left: '',
      walked: 2,
    },
    cancel_both: {
      end: 'self_trade_prevented',
      calls: ['1 closes: self_trade_prevented'],
      left: '2×2',
      walked: 0,
    },
  };

for (const selfTrade of SELF_TRADE_MODES) {
  test(`a user's own order, mode ${selfTrade}`, () => {
    const { end, calls, left, walked } = OWN[selfTrade];
    const bookTest = new BookTest();
    bookTest.rest({ number: 1, user: 7, side: 'sell', price: 101, lots: 1, selfTrade: 'off' });
    bookTest.rest({ number: 2, user: 8, side: 'sell', price: 101, lots: 2 });
    const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 2, selfTrade };
    assert.equal(bookTest.walk(taker).lots, walked);
    assert.equal(bookTest.match(taker), end);
    assert.deepEqual(bookTest.calls, calls);
    assert.equal(bookTest.resting('sell'), left);
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
    const bookTest = new BookTest();
    bookTest.books.groups[7] = takerGroup;
    bookTest.books.groups[8] = makerGroup;
    bookTest.rest({ number: 1, user: 8, side: 'sell', price: 101, lots: 1 });
    const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 1, selfTrade };
    assert.equal(bookTest.walk(taker).lots, end === 'filled' ? 1 : 0);
    assert.equal(bookTest.match(taker), end);
  });
}

test('skipped own orders do not count as fills', () => {
  const bookTest = new BookTest();
  for (const number of [1, 2, 3]) {
    bookTest.rest({ number, user: 7, side: 'sell', price: 101, lots: 1 });
  }
  bookTest.rest({ number: 4, user: 8, side: 'sell', price: 101, lots: 1 });
  const taker: Entry = { number: 9, user: 7, side: 'buy', price: 101, lots: 1 };
  const limits = { ...AMPLE, fillsPerCommandMax: 1 };
  assert.equal(bookTest.match({ ...taker, selfTrade: 'cancel_oldest' }, limits), 'filled');
});

/** One stop of each side at every price of the next test, and one beyond. */
const STOPS = [97, 98, 99, 100, 101, 102, 103, 104, 105];

test('a walk finds exactly what the match then fills, in any book', () => {
  const random = new Random(chosenSeed());
  for (let round = 0; round < 400; round++) {
    const bookTest = new BookTest();
    for (let user = 1; user <= 6; user++) bookTest.books.groups[user] = random.pick([0, 0, 3, 4]);
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
      bookTest.rest(entryOf(number, side === 'buy' ? 'sell' : 'buy'));
    }
    for (const stop of STOPS) {
      bookTest.wait({ number: 100 + stop, side: 'buy', price: 104, lots: 1, stop });
      bookTest.wait({ number: 300 + stop, side: 'sell', price: 98, lots: 1, stop });
    }
    const taker = { ...entryOf(99, side), lots: random.between(1, 60) };
    const limits = {
      fillsPerCommandMax: random.between(1, 8),
      ownOrdersPerCommandMax: random.between(1, 4),
    };
    const { lots, tickLots } = bookTest.walk(taker, limits);
    const end = bookTest.match(taker, limits);
    const fills = bookTest.calls.flatMap((line) => {
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
    const triggered = [
      ...STOPS.filter((stop) => stop <= Math.max(...prices)).map((stop) => 100 + stop),
      ...STOPS.toReversed()
        .filter((stop) => stop >= Math.min(...prices))
        .map((stop) => 300 + stop),
    ];
    assert.deepEqual(bookTest.ready(), triggered, 'exactly the stops within the traded prices');
    for (const tree of bookTest.books.treesOf(MARKET as never)) bookTest.books.levels.audit(tree);
  }
});

test('a walk is exact beyond the precision of a double', () => {
  const largest = 2 ** 31;
  const bookTest = asks([1, largest, largest - 1]);
  const { tickLots } = bookTest.walk({ number: 9, side: 'buy', price: largest, lots: largest - 1 });
  assert.equal(tickLots, 4_611_686_016_279_904_256n);
});

test('the books of two markets are independent', () => {
  const bookTest = new BookTest();
  bookTest.rest({ number: 1, side: 'sell', price: 101, lots: 1, market: 2 });
  assert.equal(bookTest.match({ number: 9, side: 'buy', price: 200, lots: 1 }), 'met_nothing_more');
  assert.equal(bookTest.books.bestOppositeTicks(1, false), 0);
  assert.equal(bookTest.books.bestOppositeTicks(2, false), 101);
});

test('the best opposite price is the lowest ask for a buy and the highest bid for a sell', () => {
  const bookTest = asks([1, 105, 1], [2, 103, 1], [3, 104, 1]);
  for (const [number, price] of [
    [4, 98],
    [5, 99],
    [6, 97],
  ]) {
    bookTest.rest({ number, side: 'buy', price, lots: 1 });
  }
  assert.equal(bookTest.books.bestOppositeTicks(MARKET, false), 103);
  assert.equal(bookTest.books.bestOppositeTicks(MARKET, true), 99);
});

test('an order can be removed from the front, the middle and the end of its level', () => {
  for (const [removed, left] of [
    [1, '2×1 3×1'],
    [2, '1×1 3×1'],
    [3, '1×1 2×1'],
  ] as const) {
    const bookTest = asks([1, 101, 1], [2, 101, 1], [3, 101, 1]);
    bookTest.books.leave(bookTest.books.orders.find(removed as OrderNumber));
    assert.equal(bookTest.resting('sell'), left);
    bookTest.rest({ number: 4, side: 'sell', price: 101, lots: 1 });
    assert.equal(bookTest.resting('sell'), `${left} 4×1`);
  }
});

/** Buy stops at 103, 102, 103 (numbers 1 to 3), sell stops at 97, 98, 97 (numbers 4 to 6). */
function stops(): BookTest {
  const bookTest = new BookTest();
  for (const [at, stop] of [103, 102, 103].entries()) {
    bookTest.wait({ number: 1 + at, side: 'buy', price: 110, lots: 1, stop });
  }
  for (const [at, stop] of [97, 98, 97].entries()) {
    bookTest.wait({ number: 4 + at, side: 'sell', price: 90, lots: 1, stop });
  }
  return bookTest;
}

const TRIGGERS: readonly [string, number, number, readonly number[]][] = [
  ['trades between the stops trigger none', 99, 101, []],
  ['a trade at the nearest buy stop triggers it', 99, 102, [2]],
  ['a trade at the nearest sell stop triggers it', 98, 101, [5]],
  ['buy stops trigger lowest first, at one price in order of placement', 99, 103, [2, 1, 3]],
  ['sell stops trigger highest first, at one price in order of placement', 97, 101, [5, 4, 6]],
  ['buy stops trigger before sell stops', 97, 103, [2, 1, 3, 5, 4, 6]],
];

for (const [name, lowest, highest, ready] of TRIGGERS) {
  test(`stops: ${name}`, () => {
    const bookTest = stops();
    const traded = { lowestTicks: lowest, highestTicks: highest };
    bookTest.books.triggerStops(MARKET, traded);
    assert.deepEqual(bookTest.ready(), ready);
    const { orders } = bookTest.books;
    for (let number = 1; number <= 6; number++) {
      const state = orders.state(orders.find(number as OrderNumber));
      assert.equal(state, ready.includes(number) ? READY : WAITING);
    }
    bookTest.books.triggerStops(2, traded);
    assert.deepEqual(bookTest.ready(2), [], 'another market has its own stops');
  });
}

test('later stops join the end of the ready queue', () => {
  const bookTest = stops();
  bookTest.books.triggerStops(MARKET, { lowestTicks: 98, highestTicks: 98 });
  bookTest.books.triggerStops(MARKET, { lowestTicks: 102, highestTicks: 102 });
  assert.deepEqual(bookTest.ready(), [5, 2]);
  assert.equal(bookTest.waiting('buy'), '1×1 3×1');
  assert.equal(bookTest.waiting('sell'), '4×1 6×1');
});

test('a ready stop can be removed from the front, the middle and the end of the queue', () => {
  for (const [removed, left] of [
    [2, [1, 3]],
    [1, [2, 3]],
    [3, [2, 1]],
  ] as const) {
    const bookTest = stops();
    bookTest.books.triggerStops(MARKET, { lowestTicks: 99, highestTicks: 103 });
    const order = bookTest.books.orders.find(removed as OrderNumber);
    bookTest.books.leave(order);
    assert.deepEqual(bookTest.ready(), left);
    bookTest.books.joinReady(order);
    assert.deepEqual(bookTest.ready(), [...left, removed]);
  }
});

test('an order that rests again has the state RESTING', () => {
  const bookTest = asks([1, 101, 1]);
  const order = bookTest.books.orders.find(1 as OrderNumber);
  bookTest.books.leave(order);
  assert.equal(bookTest.resting('sell'), '');
  bookTest.books.rest(order);
  assert.equal(bookTest.books.orders.state(order), RESTING);
});

test('books that grow keep levels, ready stops and groups, and have room for more', () => {
  const books = new Books({ ordersMax: 4, marketsMax: 1, usersMax: 2 });
  const { levels, orders } = books;
  const add = (number: number, market: number, user: number) => {
    const slot = orders.add(number as OrderNumber, market, user, 0);
    orders.setPriceTicks(slot, number as Ticks);
    return slot;
  };
  const ready = [add(1, 1, 1), add(2, 1, 2)];
  for (const order of ready) books.joinReady(order);
  for (const number of [3, 4]) books.rest(add(number, 1, 1));
  books.groups.set([0, 7, 8]);

  books.growOrders(40);
  books.growMarkets(3);
  books.growUsers(9);
  books.joinReady(add(5, 1, 1));
  for (let number = 6; number <= 40; number++) books.rest(add(number, 1 + (number % 3), 9));
  assert.deepEqual([...books.groups], [0, 7, 8, 0, 0, 0, 0, 0, 0, 0]);
  for (const number of [1, 2, 5]) {
    const first = books.firstReady(1);
    assert.equal(orders.number(first), number);
    books.leave(first);
  }
  assert.equal(books.firstReady(1), NONE);
  for (const market of [1, 2, 3] as MarketId[]) {
    for (const tree of books.treesOf(market)) levels.audit(tree);
  }
  assert.equal(books.bestOppositeTicks(1, true), 39);
  assert.throws(() => add(41, 1, 1), /stays within its capacity/);
});
