// Placing, reading and canceling orders on a running exchange, over two gateways. The gateway
// validates each response against its schema; these tests compare it with the tables.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  NOT_FOUND,
  ORDER,
  place,
  type Refused,
  read,
  refused,
  TradingStage,
  taken,
} from './trading-stage.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const STRANGER = '10644b7e-3c90-4ba9-bc3b-188f3a4e9cfd';
const SELL = { side: 'sell', size: '0.01', price: '60000' };
const BUY = { side: 'buy', size: '0.01', price: '60000' };

let stage: TradingStage;

describe('orders', () => {
  before(async () => {
    stage = await TradingStage.open();
  });
  afterEach(() => stage.clear());
  after(() => stage?.sandbox.stop());

  test('a resting order is returned complete, and reads the same at both gateways', async () => {
    const [one] = await stage.traders(1);
    const answer = await one.here.post('/order', { ...ORDER, ...BUY, meta: { note: 'first' } });
    const { created_at, id, updated_at, ...order } = taken(answer);
    assert.deepEqual(order, {
      side: 'buy',
      symbol: 'btc-usdt',
      type: 'limit',
      size: 0.01,
      price: 60_000,
      stop: null,
      filled: 0,
      average: 0,
      fee: 0,
      fee_coin: 'btc',
      status: 'new',
      meta: { note: 'first' },
      fee_structure: { maker: 0.1, taker: 0.2 },
      created_by: one.user,
    });
    assert.match(created_at, TIME);
    assert.equal(updated_at, created_at);
    for (const client of [one.here, one.there]) {
      const found = await client.get('/order', { order_id: id });
      assert.equal(found.text, answer.text);
    }
  });

  test('numbers and strings are equivalent, and no digit is lost', async () => {
    const [one] = await stage.traders(1);
    for (const [size, price] of [
      [1, 60_000],
      ['1', '60000.00'],
      ['1e0', '6e4'],
    ]) {
      const order = await place(one.here, { ...BUY, size, price });
      assert.deepEqual([order.size, order.price], [1, 60_000]);
    }
    const body = '{"symbol":"btc-usdt","side":"buy","type":"limit","size":0.0001,"price":50000.01}';
    const order = taken(await one.here.send({ method: 'POST', target: '/v2/order', body }));
    assert.deepEqual([order.size, order.price], [0.0001, 50_000.01]);
  });

  test('a matching order is returned with its fills', async () => {
    const [maker, taker] = await stage.traders(2);
    const sold = await place(maker.here, SELL);
    await place(maker.here, { ...SELL, size: '0.02', price: '60100' });
    const answer = await taker.there.post('/order', {
      ...ORDER,
      ...BUY,
      size: '0.03',
      price: '60200',
    });
    const bought = taken(answer);
    const { average, close_reason, fee, fee_coin, filled, status } = bought;
    assert.deepEqual([status, close_reason, filled], ['filled', 'filled', 0.03]);
    assert.ok(Math.abs(average - (60_000 + 2 * 60_100) / 3) < 1e-6, `${average}`);
    assert.deepEqual([fee, fee_coin], [0.00006, 'btc']);
    assert.equal((await taker.here.get('/order', { order_id: bought.id })).text, answer.text);
    const maked = await read(maker.there, sold.id);
    assert.deepEqual(
      [maked.status, maked.filled, maked.average, maked.fee, maked.fee_coin],
      ['filled', 0.01, 60_000, 0.6, 'usdt'],
    );
  });

  test('a market order has an average, no price, and closes its unfilled remainder', async () => {
    const [maker, taker] = await stage.traders(2);
    await place(maker.here, SELL);
    const answer = await taker.here.post('/order', {
      symbol: 'btc-usdt',
      side: 'buy',
      type: 'market',
      size: 1,
      price: 0,
    });
    const { average, close_reason, filled, method, price, status } = taken(answer);
    assert.deepEqual([price, method, average, filled], [0, 'market', 60_000, 0.01]);
    assert.deepEqual([status, close_reason], ['canceled', 'immediate_order_remainder']);
    const found = await taker.there.get('/order', { order_id: answer.body.id });
    assert.equal(found.text, answer.text);
    refused(await taker.here.post('/order', { ...ORDER, side: 'buy', type: 'market', size: 1 }), [
      ...([400, 64, 'The order with the current size can not be filled'] as const),
    ]);
  });

  test("the response to an order that triggers a stop excludes the stop's fills", async () => {
    const [one, two, three] = await stage.traders(3);
    await place(one.here, { ...SELL, size: '0.01', price: '60000' });
    await place(two.here, { ...BUY, size: '0.01' });
    // The market price is 60,000 now.
    const stop = await place(three.here, { ...BUY, size: '0.05', price: '61000', stop: '60500' });
    assert.deepEqual([stop.status, stop.stop], ['new', 60_500]);
    assert.equal((await place(three.here, { ...BUY, price: 61_000, stop: 60_600 })).stop, 60_600);
    await place(one.here, { ...SELL, size: '0.01', price: '60500' });
    // Buys 0.01 and triggers the stop order, which buys no more than is offered.
    const answer = await two.here.post('/order', {
      ...ORDER,
      ...BUY,
      size: '0.01',
      price: '60500',
    });
    assert.deepEqual([answer.body.status, answer.body.filled], ['filled', 0.01]);
    const triggered = await read(three.there, stop.id);
    assert.deepEqual([triggered.status, triggered.filled], ['new', 0]);
    assert.equal((await two.there.get('/order', { order_id: answer.body.id })).text, answer.text);
  });

  const REFUSALS: [title: string, order: object, refusal: Refused][] = [
    ['symbol', { symbol: 'no-thing' }, [400, 1002, 'Invalid symbol: no-thing']],
    ['no price', { price: undefined }, [400, 2104, 'A limit order requires a price']],
    ['size not a number', { size: 'ten' }, [400, 2013, 'Value is not a number: size']],
    [
      'size between lots',
      { size: '0.00015' },
      [400, 179, 'Invalid size: must be a multiple of 0.0001'],
    ],
    [
      'price between ticks',
      { price: '60000.001' },
      [400, 178, 'Invalid price: must be a multiple of 0.01'],
    ],
    ['size of 0', { size: 0 }, [400, 59, 'Order size is out of the limits']],
    ['size too large', { size: '1001' }, [400, 2106, 'Order size is out of the limits: too large']],
    ['price too low', { price: '99' }, [400, 2107, 'Order price is out of the limits: too low']],
    [
      'price outside the band',
      { price: '90000' },
      [400, 171, 'The price is too far from the current market price'],
    ],
    ['too expensive', { size: '900' }, [400, 67, 'Insufficient balance to perform the order']],
    [
      'post only and market',
      { type: 'market', meta: { post_only: true } },
      [400, 2111, 'Error 1001 - POST ONLY order can not be of type market'],
    ],
    [
      'a resting market order',
      { type: 'market', time_in_force: 'GTC' },
      [400, 2110, 'A market order cannot rest: time_in_force must be IOC or FOK'],
    ],
    ['stop of 0', { stop: 0 }, [400, 2105, 'Invalid stop price: must be greater than zero']],
    [
      'buy stop below the market',
      { stop: '50000' },
      [400, 2118, 'The stop price of a buy order must be above the market price'],
    ],
    [
      'note',
      { meta: { note: 'a\0' } },
      [400, 2123, 'The note is too long or contains unsupported characters'],
    ],
    [
      'client order id with a space',
      { client_order_id: 'a b' },
      [400, 2121, 'client_order_id must be printable ASCII'],
    ],
    [
      'a misspelt key',
      { meta: { postOnly: true } },
      [
        ...([400, 2012] as const),
        'Request validation failed: Parameter (meta.postOnly) is unknown; ' +
          'did you mean meta.post_only?',
      ],
    ],
    [
      'post-only outside of meta',
      { post_only: true },
      [
        ...([400, 2012] as const),
        'Request validation failed: Parameter (post_only) is unknown; ' +
          'did you mean meta.post_only?',
      ],
    ],
    [
      'an unsupported term',
      { reduceOnly: true },
      [
        ...([400, 2017] as const),
        'Request validation failed: Parameter (reduceOnly) is not supported; no order was placed',
      ],
    ],
  ];

  test('impossible orders are rejected with the texts that clients match', async () => {
    const [one] = await stage.traders(1);
    for (const [title, order, refusal] of REFUSALS) {
      const answer = await one.here.post('/order', { ...ORDER, ...BUY, ...order });
      assert.equal(answer.status, refusal[0], `${title}: ${answer.text}`);
      refused(answer, refusal);
    }
    assert.deepEqual(taken(await one.here.delete('/orders/all')), []);
  });

  test('a test order gets the response of a real order and places nothing', async () => {
    const [one] = await stage.traders(1);
    for (const [title, order, refusal] of REFUSALS) {
      const answer = await one.here.post('/order/test', { ...ORDER, ...BUY, ...order });
      assert.equal(answer.status, refusal[0], `${title}: ${answer.text}`);
      refused(answer, refusal);
    }
    const good = { ...ORDER, ...BUY, client_order_id: 'tested' };
    for (const _ of [1, 2]) {
      const answer = await one.here.post('/order/test', good);
      assert.deepEqual(taken(answer), { message: 'The order would be accepted' });
    }
    assert.deepEqual(taken(await one.here.delete('/orders/all')), []);
    assert.equal(taken(await one.here.post('/order', good)).client_order_id, 'tested');
  });

  test('a post only order rests, or is rejected if it would trade', async () => {
    const [one, two] = await stage.traders(2);
    await place(one.here, SELL);
    const meta = { post_only: true };
    refused(await two.here.post('/order', { ...ORDER, ...BUY, meta }), [
      ...([400, 2114] as const),
      'Error 1001 - Order rejected. Order could not be submitted as this order was set to ' +
        'a post only order.',
    ]);
    const order = await place(two.here, { ...BUY, price: '59999', meta });
    assert.deepEqual([order.status, order.meta], ['new', meta]);
  });

  test('an order with a client order ID is placed once, however often it is sent', async () => {
    const [one] = await stage.traders(1);
    const asked = { ...ORDER, ...BUY, client_order_id: 'mine-1' };
    const first = await one.here.post('/order', asked);
    assert.equal(taken(first).client_order_id, 'mine-1');
    for (const client of [one.here, one.there]) {
      assert.equal((await client.post('/order', asked)).text, first.text);
      assert.equal((await client.get('/order', { client_order_id: 'mine-1' })).text, first.text);
    }
    for (const other of [
      { size: '0.02' },
      { price: '59000' },
      { side: 'sell' },
      { stop: 61_000 },
    ]) {
      refused(await one.there.post('/order', { ...asked, ...other }), [
        ...([400, 2122] as const),
        `client_order_id was already used for order ${first.body.id}`,
      ]);
    }
    const canceled = taken(await one.there.delete('/order', { client_order_id: 'mine-1' }));
    assert.deepEqual([canceled.id, canceled.status], [first.body.id, 'canceled']);
    refused(await one.here.delete('/order', { client_order_id: 'mine-1' }), NOT_FOUND);
  });

  test("another user's order looks missing: it cannot be read, canceled or changed", async () => {
    const [one, two] = await stage.traders(2);
    const { id } = await place(one.here, BUY);
    for (const order_id of [id, STRANGER, '00000000-0000-81ff-8000-000000000000']) {
      refused(await two.here.get('/order', { order_id }), NOT_FOUND);
      refused(await two.here.delete('/order', { order_id }), NOT_FOUND);
      refused(await two.here.put('/order', { order_id, size: 1 }), NOT_FOUND);
    }
    refused(await two.here.get('/order', { client_order_id: 'nobody' }), NOT_FOUND);
    refused(await two.here.get('/order', { order_id: '17' }), [400, 2100, 'Invalid order id']);
    for (const query of [{}, { order_id: id, client_order_id: 'a' }]) {
      assert.equal((await one.here.get('/order', query)).status, 400);
      assert.equal((await one.here.delete('/order', query)).status, 400);
    }
    assert.equal((await read(one.there, id)).status, 'new');
  });

  test('a canceled order is returned as in the tables, partially filled or not', async () => {
    const [one, two] = await stage.traders(2);
    for (const filled of [0, 0.004]) {
      for (const [at, from] of [
        [one.here, one.here],
        [one.here, one.there],
      ]) {
        const { id } = await place(at, BUY);
        if (filled > 0) await place(two.here, { ...SELL, size: filled });
        const answer = await from.delete('/order', { order_id: id });
        const order = taken(answer);
        assert.deepEqual([order.status, order.filled], ['canceled', filled]);
        assert.deepEqual([order.average, order.fee], filled > 0 ? [60_000, 0.000004] : [0, 0]);
        assert.equal(order.close_reason, 'canceled_by_user');
        assert.equal((await one.there.get('/order', { order_id: id })).text, answer.text);
        refused(await from.delete('/order', { order_id: id }), NOT_FOUND);
      }
    }
  });

  test('an order amended at another gateway is returned amended when canceled', async () => {
    const [one, two] = await stage.traders(2);
    const { id } = await place(one.here, BUY);
    taken(await one.there.put('/order', { order_id: id, size: '0.012' }));
    await place(two.here, { ...SELL, size: '0.002' });
    // Its remaining size is the same as when it was placed here.
    const answer = await one.here.delete('/order', { order_id: id });
    const { filled, size, status } = taken(answer);
    assert.deepEqual([size, filled, status], [0.012, 0.002, 'canceled']);
    assert.equal((await one.here.get('/order', { order_id: id })).text, answer.text);
  });

  test('all orders are canceled in one market or in all markets', async () => {
    const [one, two] = await stage.traders(2);
    const placed = [];
    for (const price of ['59000', '59100', '59200'])
      placed.push(await place(one.here, { ...BUY, price }));
    const elsewhere = await place(one.here, { ...BUY, symbol: 'btc-eur', price: '50000' });
    const others = await place(two.here, { ...BUY, price: '59300' });
    refused(await one.here.delete('/order/all', { symbol: 'x-y' }), [
      400,
      1002,
      'Invalid symbol: x-y',
    ]);
    assert.equal((await one.here.delete('/order/all')).status, 400);
    const canceled = taken(await one.there.delete('/order/all', { symbol: 'btc-usdt' }));
    assert.deepEqual(
      canceled.map((order: { id: string; status: string }) => [order.id, order.status]),
      placed.map(({ id }) => [id, 'canceled']),
    );
    assert.deepEqual(taken(await one.here.delete('/order/all', { symbol: 'btc-usdt' })), []);
    const rest = taken(await one.here.delete('/orders/all'));
    assert.deepEqual([rest.length, rest[0].id], [1, elsewhere.id]);
    assert.equal((await read(two.here, others.id)).status, 'new');
  });
});
