// JSON for clients, written out: plain decimals, escaped texts, times in ISO 8601.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarketData, priceList } from '../../core/market-data/index.ts';
import type {
  AssetListed,
  Event,
  MarketListed,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  OrderTriggered,
  TradeExecuted,
} from '../../core/messages/index.ts';
import type { AssetId, MarketId, Ticks, TimeMs, UserId } from '../../core/money/index.ts';
import { decodeUserEvents, type UserEvents } from '../../infra/live-feed/index.ts';
import { fromPlain } from '../../testing/market-data/from-plain.ts';
import { orderPlaced } from '../../testing/market-data/order-placed.ts';
import {
  auctionValue,
  bookValue,
  candleValues,
  minichartValue,
  priceValue,
  tickerValue,
  tradesValue,
} from './public-json.ts';
import { UserFeed } from './user-feed.ts';

const TIME_MS = Date.UTC(2024, 1, 29, 23, 59, 30, 5) as TimeMs;

// One lot is 0.00000001 btc, one tick 0.5 usdt: 0.00000001 btc × 0.5 = 5 atoms at scale 9.
const LISTING = [
  fromPlain<AssetListed>({ kind: 'AssetListed', asset: 1, symbol: 'btc', scale: 8 }),
  fromPlain<AssetListed>({ kind: 'AssetListed', asset: 2, symbol: 'usdt', scale: 9 }),
  fromPlain<MarketListed>({
    kind: 'MarketListed',
    market: 1,
    base: 1,
    quote: 2,
    lotAtoms: 1n,
    tickMantissa: 5,
    tickScale: 1,
    tickLotAtoms: 5n,
    referenceTicks: 0,
  }),
];

const ORDER = orderPlaced({
  order: 10,
  side: 'sell',
  postOnly: true,
  priceTicks: 120_001,
  sizeLots: 250,
  makerFeePpm: 1_000,
  takerFeePpm: 2_500,
  clientOrderId: 'mine-1',
  note: 'a "quoted" note\n',
  heldAsset: 1,
  heldAtoms: 250n,
});

const BUY = orderPlaced({
  order: 11,
  user: 8,
  type: 'market',
  timeInForce: 'IOC',
  priceTicks: 120_001,
  sizeLots: 1,
  makerFeePpm: 0,
  takerFeePpm: 0,
  heldAtoms: 600_005n,
});

const TRADE = fromPlain<TradeExecuted>({
  kind: 'TradeExecuted',
  trade: 1,
  market: 1,
  base: 1,
  quote: 2,
  takerSide: 'buy',
  priceTicks: 120_001,
  sizeLots: 1,
  makerOrder: 10,
  takerOrder: 11,
  maker: 7,
  taker: 8,
  makerRemainingLots: 249,
  takerRemainingLots: 0,
  baseAtoms: 1n,
  quoteAtoms: 600_005n,
  makerFeeAtoms: 601n,
  takerFeeAtoms: 0n,
  releasedAtoms: 0n,
  house: false,
  quick: false,
});

const CLOSED = fromPlain<OrderClosed>({
  kind: 'OrderClosed',
  order: 11,
  user: 8,
  market: 1,
  reason: 'filled',
  remainingLots: 0,
  heldAsset: 2,
  releasedAtoms: 0n,
});

function after(events: readonly Event[]) {
  const data = new MarketData();
  const userFeed = new UserFeed(data);
  [...LISTING, ...events].forEach((event, index) => {
    const closed = userFeed.orderClosedBy(event);
    data.apply(event, TIME_MS);
    userFeed.apply(event, { index, timeMs: TIME_MS }, closed);
  });
  const market = data.market(1 as MarketId);
  return { data, userFeed, market };
}

function decoded(payload: string): UserEvents {
  const events = decodeUserEvents(Buffer.from(payload));
  assert.ok(events !== undefined);
  return events;
}

test('public data has plain decimals, however small', () => {
  const { data, market } = after([ORDER, BUY, TRADE, CLOSED]);
  const book = bookValue(data, market, { levels: 10, timeMs: TIME_MS });
  assert.equal(
    book.body + book.end,
    '{"bids":[],"asks":[[60000.5,0.00000249]],"timestamp":"2024-02-29T23:59:30.005Z"}',
  );
  assert.equal(
    tradesValue(market).body,
    '[{"id":1,"size":0.00000001,"price":60000.5,"side":"buy",' +
      '"timestamp":"2024-02-29T23:59:30.005Z"}]',
  );
  const ticker = tickerValue(market, TIME_MS);
  assert.equal(
    ticker.body + ticker.end,
    '{"open":60000.5,"close":60000.5,"high":60000.5,"low":60000.5,"last":60000.5' +
      ',"volume":0.00000001,"timestamp":"2024-02-29T23:59:30.005Z"}',
  );
  assert.deepEqual(candleValues(market).at(-1), [
    '1w',
    {
      body:
        '[{"time":"2024-02-26T00:00:00.000Z","open":60000.5,"high":60000.5,"low":60000.5' +
        ',"close":60000.5,"volume":0.00000001,"symbol":"btc-usdt"}]',
      end: '',
    },
  ]);
  assert.equal(
    minichartValue(market).body,
    '[{"time":"2024-02-29T23:00:00.000Z","price":"60000.5","symbol":"btc","quote":"usdt"}]',
  );
});

test('an auction shows price, volume and imbalance; other statuses have no such fields', () => {
  const resting: OrderPlaced = { ...BUY, type: 'limit', timeInForce: 'GTC' };
  const { data, market } = after([ORDER, resting]);
  const text = () => {
    const { body, end } = auctionValue(data, market, TIME_MS);
    return body + end;
  };
  const end = '"timestamp":"2024-02-29T23:59:30.005Z"}';
  market.status = 'full';
  const nothing = '"price":null,"volume":0,"imbalance":0,"ends_at":null';
  assert.equal(text(), `{"status":"full",${nothing},${end}`);
  market.status = 'auction';
  market.auctionEndsMs = Date.UTC(2024, 2, 1) as TimeMs;
  assert.equal(
    text(),
    '{"status":"auction","price":60000.5,"volume":0.00000001,"imbalance":-0.00000249' +
      `,"ends_at":"2024-03-01T00:00:00.000Z",${end}`,
  );
});

test('a coin price is a number with the time of its last change', () => {
  const { data } = after([ORDER, BUY, TRADE, CLOSED]);
  const texts = priceList(data).map((found) => {
    const { body, end } = priceValue(found, TIME_MS);
    return [found.symbol, body + end];
  });
  const lastUpdate = '"lastUpdate":"2024-02-29T23:59:30.005Z"';
  assert.deepEqual(texts, [
    ['btc', `{"price":60000.5,${lastUpdate}}`],
    ['usdt', `{"price":1,${lastUpdate}}`],
  ]);
});

test('before the first trade a ticker has no prices', () => {
  const { market } = after([]);
  assert.equal(
    tickerValue(market, TIME_MS).body,
    '{"open":null,"close":null,"high":null,"low":null,"last":null,"volume":0',
  );
  assert.equal(candleValues(market)[0][1].body, '[]');
});

test('a user receives the order, its fill and the new balances', () => {
  const { userFeed } = after([ORDER, BUY, TRADE, CLOSED]);
  const [seller] = userFeed.take(5).filter(({ user }) => user === 7);
  const { messages, ...head } = decoded(seller.payload);
  assert.deepEqual(head, { user: 7, frame: 5, after: { frame: 0, index: 0 } });
  const order = {
    id: '00000000-0000-810a-8000-000000000000',
    side: 'sell',
    symbol: 'btc-usdt',
    type: 'limit',
    size: 0.0000025,
    price: 60000.5,
    stop: null,
    filled: 0,
    average: 0,
    fee: 0,
    fee_coin: 'usdt',
    status: 'new',
    meta: { post_only: true, note: 'a "quoted" note\n' },
    fee_structure: { maker: 0.1, taker: 0.25 },
    client_order_id: 'mine-1',
    created_by: 7,
    created_at: '2024-02-29T23:59:30.005Z',
    updated_at: '2024-02-29T23:59:30.005Z',
  };
  const time = 1_709_251_170;
  const to = { user_id: 7, symbol: 'btc-usdt', time };
  const fill = {
    side: 'sell',
    symbol: 'btc-usdt',
    size: 0.00000001,
    price: 60000.5,
    timestamp: '2024-02-29T23:59:30.005Z',
    order_id: order.id,
    fee: 0.000000601,
    fee_coin: 'usdt',
  };
  const filled = { filled: 0.00000001, average: 60000.5, fee: 0.000000601, status: 'pfilled' };
  const told = messages.map(({ index, text, topic }) => [index, topic, JSON.parse(text)]);
  assert.deepEqual(told, [
    [3, 'order', { topic: 'order', action: 'insert', ...to, data: [order] }],
    [5, 'usertrade', { topic: 'usertrade', action: 'insert', ...to, data: [fill] }],
    [5, 'order', { topic: 'order', action: 'update', ...to, data: [{ ...order, ...filled }] }],
    [
      5,
      'wallet',
      {
        topic: 'wallet',
        action: 'partial',
        user_id: 7,
        time,
        data: {
          // This test has no deposit, so available is negative by the amount on hold.
          btc_balance: -0.00000001,
          btc_available: -0.0000025,
          usdt_balance: 0.000599404,
          usdt_available: 0.000599404,
          updated_at: '2024-02-29T23:59:30.005Z',
        },
      },
    ],
  ]);
});

test('a stop that fires is one update of the same order, with the status new', () => {
  const stop: OrderPlaced = {
    ...BUY,
    type: 'limit',
    timeInForce: 'GTC',
    stopTicks: 120_001 as Ticks,
  };
  const { market, order, user } = stop;
  const fired = fromPlain<OrderTriggered>({ kind: 'OrderTriggered', order, user, market });
  const { userFeed } = after([stop, fired]);
  const [{ payload }] = userFeed.take(5);
  const orders = decoded(payload).messages.filter(({ topic }) => topic === 'order');
  const told = orders.map(({ text }) => {
    const { action, data } = JSON.parse(text);
    return [action, data[0].id, data[0].status, data[0].stop];
  });
  const id = '00000000-0000-810b-8000-000000000000';
  assert.deepEqual(told, [
    ['insert', id, 'new', 60000.5],
    ['update', id, 'new', 60000.5],
  ]);
});

test('a take-profit and its amended stop price are in the messages of its user', () => {
  const placed: OrderPlaced = {
    ...BUY,
    type: 'limit',
    timeInForce: 'GTC',
    stopTicks: 120_001 as Ticks,
    trigger: 'take_profit',
  };
  const { market, order, priceTicks, sizeLots, user } = placed;
  const amended = fromPlain<OrderAmended>({
    kind: 'OrderAmended',
    order,
    user,
    market,
    priceTicks,
    sizeLots,
    remainingLots: sizeLots,
    heldAsset: placed.heldAsset,
    heldChangeAtoms: 0n,
    stopTicks: 120_003,
  });
  const { userFeed } = after([placed, amended]);
  const [{ payload }] = userFeed.take(5);
  const orders = decoded(payload).messages.filter(({ topic }) => topic === 'order');
  const told = orders.map(({ text }) => {
    const { data } = JSON.parse(text);
    return [data[0].trigger, data[0].stop];
  });
  assert.deepEqual(told, [
    ['take_profit', 60000.5],
    ['take_profit', 60001.5],
  ]);
});

test('the next message to a user has the position of the previous entry', () => {
  const { data, userFeed } = after([ORDER, BUY, TRADE, CLOSED]);
  userFeed.take(5);
  const deposit = { kind: 'DepositCredited', user: 7, asset: 2, amountAtoms: 1n } as Event;
  data.apply(deposit, TIME_MS);
  userFeed.apply(deposit, { index: 0, timeMs: TIME_MS }, undefined);
  const [{ payload }] = userFeed.take(6);
  const { after: before, messages } = decoded(payload);
  assert.deepEqual(before, { frame: 5, index: 5 });
  assert.deepEqual(Object.keys(JSON.parse(messages[0].text).data), [
    'usdt_balance',
    'usdt_available',
    'updated_at',
  ]);
  assert.equal(userFeed.balances.of(7 as UserId, 2 as AssetId).availableAtoms, 599_405n);
});
