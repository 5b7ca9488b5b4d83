// Subscribed books in virtual time: requests get a response in parts, a quiet book has heartbeats,
// a busy one is rate-limited, and books without subscribers cost nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetListed, Event, MarketListed } from '../../core/messages/index.ts';
import type { MarketId, TimeMs } from '../../core/money/index.ts';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { askFeed, FakeFeed, type FakeNetwork } from '../../testing/market-data/fake-feed.ts';
import { fromPlain } from '../../testing/market-data/from-plain.ts';
import { orderPlaced } from '../../testing/market-data/order-placed.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { FeedHeaders } from './feed-port.ts';
import { FeedState } from './feed-state.ts';
import { SubscribedBooks } from './subscribed-books.ts';

const SUBJECTS = feedSubjects('rialto');
const LISTING = [
  fromPlain<AssetListed>({ kind: 'AssetListed', asset: 1, symbol: 'btc', scale: 8 }),
  fromPlain<AssetListed>({ kind: 'AssetListed', asset: 2, symbol: 'usdt', scale: 9 }),
  fromPlain<MarketListed>({
    kind: 'MarketListed',
    market: 1,
    base: 1,
    quote: 2,
    lotAtoms: 1n,
    status: 'full',
    tickMantissa: 5,
    tickScale: 1,
    tickLotAtoms: 5n,
  }),
];

function orderAt(order: number, priceTicks: number): Event {
  return orderPlaced({ order, side: 'sell', postOnly: true, priceTicks, sizeLots: 250 });
}

interface Said {
  readonly atMs: number;
  readonly subject: string;
  readonly payload: string;
  readonly headers: FeedHeaders;
}

function stage() {
  const random = new Random(1);
  const time = new VirtualTime({ startMs: 0, random, latenessMsMax: 0 });
  const said: Said[] = [];
  const network: FakeNetwork = {
    time,
    random,
    lossPercent: 0,
    kept: new Map(),
    keptLast: 0,
    listeners: new Set(),
    cursor: 'none',
    checkpoint: 'none',
    hear: (subject, payload, headers) =>
      said.push({ atMs: time.nowMs(), subject, payload, headers }),
  };
  const state = FeedState.create();
  const feed = new FakeFeed(network, time);
  const options = { state, feed, clock: time, subjects: SUBJECTS, everyMs: 20 };
  const books = new SubscribedBooks({ ...options, onPublished: () => {} });
  const apply = (...events: Event[]): void => {
    for (const event of events) state.data.apply(event, 5 as TimeMs);
    books.changed(state.data.takeChanges());
  };
  const look = (): void => {
    books.tick();
    time.after(250, look);
  };
  const say = (subject: string, payload = '', replyTo = '') =>
    askFeed(network, { subject: `${SUBJECTS.ask}.${subject}`, payload, replyTo });
  apply(...LISTING);
  books.open();
  look();
  time.runUntil(10);
  return { state, books, feed, time, said, apply, say };
}

test('a long response is sent in parts, all from one frame', () => {
  const { apply, said, say, time } = stage();
  for (let order = 1; order <= 30_000; order += 1) apply(orderAt(order, 1_000 + order));
  for (const [question, replyTo] of [
    ['depth', 'levels'],
    ['l3', 'orders'],
  ] as const) {
    say(`${question}.btc-usdt`, '', replyTo);
    time.runUntil(time.nowMs() + 10);
    const parts = said.filter(({ subject }) => subject === replyTo);
    assert.ok(parts.length > 1);
    parts.forEach(({ headers, payload }, at) => {
      assert.deepEqual(headers, {
        'Rialto-Frame': '0',
        'Rialto-Part': `${at + 1}/${parts.length}`,
      });
      assert.ok(payload.length <= 256 * 1024);
    });
    const whole = JSON.parse(parts.map(({ payload }) => payload).join(''));
    assert.deepEqual(whole.lot, { atoms: '1', scale: 8 });
    assert.deepEqual(whole.tick, { mantissa: 5, scale: 1 });
    const rows = replyTo === 'levels' ? whole.asks : whole.orders;
    assert.equal(rows.length, 30_000);
    const first = replyTo === 'levels' ? [1_001, '250'] : [1, 'sell', 1_001, 250];
    assert.deepEqual(rows[0], first);
  }
});

test('an unknown market gets an empty response', () => {
  const { said, say, time } = stage();
  say('depth.abc-usdt', '', 'me');
  time.runUntil(100);
  assert.deepEqual(
    said
      .filter(({ subject }) => subject === 'me')
      .map(({ headers, payload }) => [payload, headers]),
    [['', {}]],
  );
});

test('a quiet book has a heartbeat every second until the interest expires', () => {
  const { said, say, state, time } = stage();
  say('interest', JSON.stringify({ l2: [], l3: ['btc-usdt', 'abc-usdt'] }));
  time.runUntil(9_000);
  const mentions = said.filter(({ subject }) => subject === 'rialto.live.l3.btc-usdt');
  assert.ok(mentions.length >= 8 && mentions.length <= 10);
  for (const { headers, payload } of mentions) {
    assert.deepEqual([payload, headers], ['', { 'Rialto-Frame': '0', 'Rialto-Previous': '0' }]);
  }
  assert.deepEqual([...state.data.orders.restingOrders(1 as MarketId)], []);
  time.runUntil(11_000);
  assert.throws(() => state.data.orders.restingOrders(1 as MarketId), /tracked markets/);
  const count = said.length;
  time.runUntil(20_000);
  assert.equal(said.length, count);
});

test('a busy book is published at most every 20 ms, with all changes', () => {
  const { apply, said, say, time } = stage();
  say('interest', JSON.stringify({ l2: ['btc-usdt'], l3: [] }));
  time.runUntil(1_000);
  said.length = 0;
  for (let order = 1; order <= 100; order += 1) {
    apply(orderAt(order, 1_000 + order));
    time.runUntil(time.nowMs() + 1);
  }
  time.runUntil(time.nowMs() + 50);
  const changes = said.filter(({ payload }) => payload !== '');
  assert.ok(changes.length >= 5 && changes.length <= 7, String(changes.length));
  const prices = changes.flatMap(({ payload }) =>
    JSON.parse(payload).asks.map(([p]: [number]) => p),
  );
  assert.deepEqual(
    prices,
    Array.from({ length: 100 }, (_, at) => 1_001 + at),
  );
});

test('changes accumulate while disconnected and are published after the reconnect', () => {
  const { apply, feed, said, say, time } = stage();
  say('interest', JSON.stringify({ l2: ['btc-usdt'], l3: [] }));
  time.runUntil(1_000);
  said.length = 0;
  feed.lose();
  apply(orderAt(1, 1_001));
  time.runUntil(1_100);
  apply(orderAt(2, 1_002));
  time.runUntil(1_200);
  assert.deepEqual(said, []);
  feed.regain();
  time.runUntil(1_250);
  const [{ payload }] = said.filter(({ payload: text }) => text !== '');
  assert.deepEqual(JSON.parse(payload).asks, [
    [1_001, '250'],
    [1_002, '250'],
  ]);
});

test('an invalid interest message is ignored', () => {
  const { say, state, time } = stage();
  for (const payload of ['', 'null', '7', '{', '{"l3":"btc-usdt"}', '{"l3":[7,null]}']) {
    say('interest', payload);
  }
  time.runUntil(100);
  assert.throws(() => state.data.orders.restingOrders(1 as MarketId), /tracked markets/);
});

test('a stopped publisher receives no requests', () => {
  const { books, say } = stage();
  assert.equal(say('depth.btc-usdt', '', 'me'), true);
  books.stop();
  assert.equal(say('depth.btc-usdt', '', 'me'), false);
});
