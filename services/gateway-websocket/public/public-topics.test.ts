// Books, trades and prices from a subscriber's view, including late and slow subscribers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NOW_S } from '../../../features/auth/credentials/access-for-test.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { FakeFeed, FakeSubscription, message } from './feed-for-test.ts';
import { MarketTopic } from './market-topic.ts';
import { PriceTopic } from './price-topic.ts';
import { TradeChannel } from './trade-channel.ts';
import { ValueChannel } from './value-channel.ts';

const ORDERBOOK = { topic: 'orderbook', kind: 'book' } as const;
const BOOK = 'feed.book.btc-usdt';
const TRADES = 'feed.trades.btc-usdt';
const LIVE = 'live.trades.btc-usdt';

function world() {
  const [feed, clock] = [new FakeFeed(), new FakeClock(1_700_000_000_000)];
  const prefixes = { feedPrefix: 'feed', livePrefix: 'live' };
  return { feed, clock, options: { feed, clock, ...prefixes, symbol: 'btc-usdt' } };
}

const trade = (number: number) => `{"size":0.10,"price":${number},"side":"buy"}`;
const list = (...numbers: number[]) => `[${numbers.map(trade).join(',')}]`;
const pricesOf = (data: { price: number }[]) => data.map(({ price }) => price);

test('every book message is complete, and all subscribers get the same bytes', async () => {
  const { feed, options } = world();
  const channel = new ValueChannel({ ...options, ...ORDERBOOK });
  const [early, late] = [new FakeSubscription(), new FakeSubscription()];
  channel.subscribe(early);
  assert.deepEqual(early.said(), []);
  await feed.answer(message(BOOK, 1, '{"bids":[[1.50,2]],"asks":[]}'));
  channel.subscribe(late);
  const [[first], [second]] = [early.frames(), late.frames()];
  assert.equal(first.bytes, second.bytes);
  assert.equal(
    first.bytes.subarray(2).toString(),
    '{"topic":"orderbook","action":"partial","symbol":"btc-usdt"' +
      `,"data":{"bids":[[1.50,2]],"asks":[]},"time":${NOW_S}}`,
  );
  channel.unsubscribe(early);
  feed.publish(message(BOOK, 2, '{"bids":[],"asks":[]}'));
  assert.deepEqual([early.said().length, late.said().length], [0, 1]);
});

test('an auction has one text for all subscribers, from its own feed value', async () => {
  const { feed, options } = world();
  const channel = new ValueChannel({ ...options, topic: 'auction', kind: 'auction' });
  const subscriber = new FakeSubscription();
  channel.subscribe(subscriber);
  const data = { status: 'auction', price: 1.5, volume: 2, imbalance: -1, ends_at: null };
  await feed.answer(message('feed.auction.btc-usdt', 1, JSON.stringify(data)));
  const rest = { action: 'partial', symbol: 'btc-usdt', time: NOW_S };
  assert.deepEqual(subscriber.said(), [{ topic: 'auction', ...rest, data }]);
  const over = { ...data, status: 'full', price: null, volume: 0, imbalance: 0 };
  feed.publish(message('feed.auction.btc-usdt', 2, JSON.stringify(over)));
  assert.deepEqual(subscriber.said(), [{ topic: 'auction', ...rest, data: over }]);
});

test('trades start with the last ones and continue with new ones, newest first', async () => {
  const { feed, options } = world();
  const channel = new TradeChannel(options);
  const subscriber = new FakeSubscription();
  channel.subscribe(subscriber);
  feed.publish(message(LIVE, 5, list(3), '3-3'));
  feed.publish(message(LIVE, 7, list(5, 4), '4-5'));
  await feed.answer(message(TRADES, 5, list(3, 2, 1)));
  feed.publish(message(LIVE, 7, list(5, 4), '4-5'));
  feed.publish(message(LIVE, 7, list(6), '6-6'));
  const said = subscriber.said();
  assert.deepEqual(
    said.map(({ action, data }) => [action, pricesOf(data)]),
    [
      ['partial', [3, 2, 1]],
      ['insert', [5, 4]],
      ['insert', [6]],
    ],
  );
  const late = new FakeSubscription();
  channel.subscribe(late);
  assert.deepEqual(pricesOf(late.said()[0].data), [6, 5, 4, 3, 2, 1]);
});

test('at most fifty trades are kept', async () => {
  const { feed, options } = world();
  const channel = new TradeChannel(options);
  await feed.answer(
    message(
      TRADES,
      1,
      list(
        ...Array(50)
          .keys()
          .map((at) => 50 - at),
      ),
    ),
  );
  feed.publish(message(LIVE, 2, list(52, 51), '51-52'));
  const subscriber = new FakeSubscription();
  channel.subscribe(subscriber);
  const prices = pricesOf(subscriber.said()[0].data);
  assert.deepEqual([prices.length, prices[0], prices.at(-1)], [50, 52, 3]);
});

test('a trade between the stored value and the subscription causes no second partial', async () => {
  const { feed, options } = world();
  const channel = new TradeChannel(options);
  const subscriber = new FakeSubscription();
  channel.subscribe(subscriber);
  // The batch for frame 4 was published before we subscribed, and its value is not stored yet.
  await feed.answer(message(TRADES, 2, list(1)));
  feed.publish(message(TRADES, 4, list(3, 2, 1)));
  feed.publish(message(LIVE, 5, list(4), '4-4'));
  assert.deepEqual(
    subscriber.said().map(({ action, data }) => [action, pricesOf(data)]),
    [
      ['partial', [1]],
      ['insert', [3, 2]],
      ['insert', [4]],
    ],
  );
});

const full = (from: number) => list(...Array.from({ length: 50 }, (_, at) => from - at));

const missed: [name: string, before: string, after: string, expected: [string, number]][] = [
  ['the first trades', '[]', list(2, 1), ['insert', 2]],
  ['fewer than fifty from a full list', full(60), full(63), ['insert', 3]],
  ['49 from a full list', full(60), full(109), ['insert', 49]],
  ['fifty or more', full(60), full(110), ['partial', 50]],
  ['some from a list that becomes full', list(3, 2, 1), full(52), ['insert', 49]],
  ['a list with a different history', list(2, 1), list(3, 2), ['partial', 2]],
];

for (const [name, before, after, [action, count]] of missed) {
  test(`missed trades are detected and sent: ${name}`, async () => {
    const { feed, options } = world();
    const channel = new TradeChannel(options);
    const subscriber = new FakeSubscription();
    channel.subscribe(subscriber);
    await feed.answer(message(TRADES, 1, before));
    feed.publish(message(TRADES, 2, before));
    assert.deepEqual(subscriber.said().length, 1);
    feed.publish(message(TRADES, 4, after));
    feed.publish(message(LIVE, 4, list(2), '2-2'));
    const said = subscriber.said();
    assert.deepEqual([said.length, said[0].action, said[0].data.length], [1, action, count]);
  });
}

// Each frame has some trades, published in one or two batches, some of which are lost or repeated.
// Last values sometimes follow. At the end every subscriber has each trade exactly once.
test('with losses and repeats, subscribers end with the last trades, each once', async () => {
  const step = fc.record({
    counts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 0, maxLength: 2 }),
    lost: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
    isRepeated: fc.boolean(),
    isValued: fc.boolean(),
    joins: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { feed, options } = world();
      const channel = new TradeChannel(options);
      const books = new Map<FakeSubscription, number[]>();
      const join = () => {
        const subscriber = new FakeSubscription();
        books.set(subscriber, []);
        channel.subscribe(subscriber);
      };
      join();
      let trades: number[] = [];
      let number = 0;
      await feed.answer(message(TRADES, 1, '[]'));
      const all = [...steps, { ...steps[0], counts: [], isValued: true, joins: true }];
      for (const [at, { counts, isRepeated, isValued, joins, lost }] of all.entries()) {
        const frame = at + 2;
        for (const [part, count] of counts.entries()) {
          const first = number + 1;
          number += count;
          const news = Array.from({ length: count }, (_, index) => number - index);
          trades = [...news, ...trades].slice(0, 50);
          if (lost[part]) continue;
          const batch = message(LIVE, frame, list(...news), `${first}-${number}`);
          feed.publish(batch);
          if (isRepeated) feed.publish(batch);
        }
        if (isValued) feed.publish(message(TRADES, frame, list(...trades)));
        if (joins) join();
        for (const subscriber of books.keys()) {
          let known = books.get(subscriber)!;
          for (const { action, data } of subscriber.said()) {
            const before = action === 'partial' ? [] : known;
            known = [...pricesOf(data), ...before].slice(0, 50);
          }
          books.set(subscriber, known);
          assert.equal(new Set(known).size, known.length);
        }
      }
      for (const known of books.values()) assert.deepEqual(known, trades);
    }),
    { numRuns: 300 },
  );
});

test('prices start with all coins, once all are read, and continue with each change', async () => {
  const { clock, feed, options } = world();
  const coins = ['btc', 'xrp'];
  const topic = new PriceTopic({ ...options, graceMs: 5_000, coins: () => coins });
  const subscriber = new FakeSubscription();
  topic.subscribe(subscriber);
  await feed.answer(message('feed.price.btc', 1, '{"price":60000.50}'));
  assert.deepEqual(subscriber.said(), []);
  await feed.answer('none');
  const time = NOW_S;
  assert.deepEqual(subscriber.said(), [
    { topic: 'price', action: 'partial', data: { btc: { price: 60_000.5 } }, time },
  ]);
  feed.publish(message('feed.price.xrp', 2, '{"price":2}'));
  assert.deepEqual(subscriber.said(), [
    { topic: 'price', action: 'update', symbol: 'xrp', data: { price: 2 }, time },
  ]);
  coins.push('new');
  clock.advance(5_000);
  assert.deepEqual(feed.subjects, ['feed.price.btc', 'feed.price.new', 'feed.price.xrp']);
  topic.unsubscribe(subscriber);
  clock.advance(5_000);
  assert.deepEqual(feed.subjects, []);
});

test('a market stays subscribed on NATS for a grace period after its last subscriber', async () => {
  const { clock, feed, options } = world();
  const topic = new MarketTopic({
    name: 'orderbook',
    weight: 1,
    clock,
    graceMs: 5_000,
    markets: () => new Map([['btc-usdt', 1]]),
    open: (symbol) => new ValueChannel({ ...options, symbol, ...ORDERBOOK }),
  });
  const [one, two] = [new FakeSubscription('btc-usdt'), new FakeSubscription('btc-usdt')];
  topic.subscribe(one);
  topic.subscribe(two);
  assert.deepEqual([feed.subjects, topic.openCount], [[BOOK], 1]);
  topic.unsubscribe(one);
  clock.advance(5_000);
  topic.unsubscribe(two);
  clock.advance(4_999);
  topic.subscribe(one);
  clock.advance(5_000);
  assert.deepEqual(feed.subjects, [BOOK]);
  topic.unsubscribe(one);
  clock.advance(5_000);
  assert.deepEqual([feed.subjects, topic.openCount], [[], 0]);
});
