// Batches, amendments, dead man's switches and scopes on a running exchange, and orders while the
// tables are unavailable.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { ORDER, place, type Refused, read, refused, TradingStage, taken } from './trading-stage.ts';

const STRANGER = '10644b7e-3c90-4ba9-bc3b-188f3a4e9cfd';
const SELL = { side: 'sell', size: '0.01', price: '60000' };
const BUY = { side: 'buy', size: '0.01', price: '60000' };

let stage: TradingStage;

describe("batches, amendments and dead man's switches", () => {
  before(async () => {
    stage = await TradingStage.open();
  });
  afterEach(() => stage.clear());
  after(() => stage?.sandbox.stop());

  test('each order of a batch is accepted or rejected independently, in order', async () => {
    const [one] = await stage.traders(1);
    const orders = [BUY, { ...BUY, size: '900' }, { ...BUY, symbol: 'x-y' }, SELL].map((order) => ({
      ...ORDER,
      ...order,
      self_trade_prevention: 'cancel_oldest',
    }));
    const { data } = taken(await one.here.post('/orders', { orders }));
    assert.deepEqual(
      data.map(({ status }: { status: number }) => status),
      [200, 400, 400, 200],
    );
    assert.equal(data[1].error.message, 'Insufficient balance to perform the order');
    assert.equal(data[2].error.message, 'Invalid symbol: x-y');
    const [first, last] = [data[0].order, data[3].order];
    assert.ok(first.id < last.id);
    assert.equal(last.self_trade_prevention, 'cancel_oldest');
    assert.equal((await read(one.there, last.id)).self_trade_prevention, 'cancel_oldest');
    assert.equal((await read(one.there, first.id)).close_reason, 'self_trade_prevented');
    const order_ids = [last.id, first.id, STRANGER, 'x'].join(',');
    const canceled = taken(await one.there.delete('/orders', { order_ids })).data;
    assert.deepEqual(
      canceled.map(({ error, order, status }: Record<string, { status: string; code: number }>) => [
        status,
        order?.status ?? error?.code,
      ]),
      [
        [200, 'canceled'],
        [404, 10],
        [404, 10],
        [400, 2100],
      ],
    );
    const tooMany = { orders: Array.from({ length: 51 }, () => ({ ...ORDER, ...BUY })) };
    assert.equal((await one.here.post('/orders', tooMany)).status, 400);
    assert.equal((await one.here.post('/orders', { orders: [] })).status, 400);
  });

  test('an amended order is returned as stored in the tables', async () => {
    const [one, two] = await stage.traders(2);
    await place(two.here, { ...SELL, size: '0.003', price: '60100' });
    for (const client of [one.here, one.there]) {
      const { id } = await place(one.here, { ...BUY, price: '59000' });
      const down = await client.put('/order', { order_id: id, size: '0.008' });
      assert.deepEqual([taken(down).size, down.body.status], [0.008, 'new']);
      assert.equal((await one.here.get('/order', { order_id: id })).text, down.text);
      const up = await client.put('/order', { order_id: id, price: '60100' });
      const isFirst = client === one.here;
      assert.deepEqual([taken(up).price, up.body.filled], [60_100, isFirst ? 0.003 : 0]);
      assert.equal((await one.there.get('/order', { order_id: id })).text, up.text);
      taken(await one.here.delete('/order', { order_id: id }));
    }
  });

  test('a waiting stop and a take-profit get a new stop price', async () => {
    const [one] = await stage.traders(1);
    for (const order of [
      { ...BUY, price: '61500', stop: '61000' },
      { ...SELL, price: '61500', stop: '61000', trigger: 'take_profit' },
    ]) {
      const { id, trigger } = await place(one.here, order);
      const change = { order_id: id, stop: '61200', price: '61300', size: '0.008' };
      const answer = await one.here.put('/order', change);
      const { price, size, status, stop } = taken(answer);
      assert.deepEqual([status, stop, price, size], ['new', 61_200, 61_300, 0.008]);
      assert.equal(answer.body.trigger, trigger);
      assert.equal((await one.there.get('/order', { order_id: id })).text, answer.text);
    }
  });

  test('the first of two linked orders that closes closes the other one', async () => {
    const [one] = await stage.traders(1);
    const first = await place(one.here, { ...SELL, price: '69000' });
    const stop = { ...SELL, price: '50000', stop: '51000', linked_order_id: first.id };
    const second = await place(one.there, stop);
    assert.equal(second.linked_order_id, first.id);
    refused(await one.here.put('/order', { order_id: first.id, price: '68000' }), [
      400,
      2155,
      'Linked orders cannot be changed. Cancel them and place new ones',
    ]);
    taken(await one.there.delete('/order', { order_id: second.id }));
    const { close_reason, status } = await read(one.there, first.id);
    assert.deepEqual([status, close_reason], ['canceled', 'linked_order_closed']);
  });

  test('an order closes at its time', async () => {
    const [one] = await stage.traders(1);
    const expires_at = new Date(Date.now() + 2_000).toISOString();
    const { id, ...placed } = await place(one.here, { ...BUY, price: '59000', expires_at });
    assert.deepEqual([placed.status, placed.expires_at], ['new', expires_at]);
    const question = async () => (await read(one.there, id)).status === 'canceled';
    await waitUntil({ what: 'the order has expired', timeoutMs: 30_000, question });
    assert.equal((await read(one.there, id)).close_reason, 'expired');
  });

  test('impossible amendments are rejected', async () => {
    const [one] = await stage.traders(1);
    const { id } = await place(one.here, BUY);
    const stop = await place(one.here, { ...BUY, price: '61500', stop: '61000' });
    const cases: [change: object, refusal: Refused][] = [
      [{}, [400, 138, 'Nothing to update']],
      [{ size: '0.01' }, [400, 138, 'Nothing to update']],
      [{ size: 0 }, [400, 59, 'Order size is out of the limits']],
      [{ price: '0' }, [400, 2107, 'Order price is out of the limits: too low']],
      [{ size: '0.00011' }, [400, 179, 'Invalid size: must be a multiple of 0.0001']],
      [{ size: '900' }, [400, 67, 'Insufficient balance to perform the order']],
      [{ order_id: '1' }, [400, 2100, 'Invalid order id']],
      [{ stop: '61000' }, [400, 2150, 'The order does not wait for a stop price']],
      [
        { order_id: stop.id, stop: '0' },
        [400, 2105, 'Invalid stop price: must be greater than zero'],
      ],
      [{ order_id: stop.id, stop: '61000' }, [400, 138, 'Nothing to update']],
      [
        { order_id: stop.id, stop: '50000' },
        [400, 2118, 'The stop price of a buy order must be above the market price'],
      ],
    ];
    for (const [change, refusal] of cases) {
      refused(await one.here.put('/order', { order_id: id, ...change }), refusal);
    }
  });

  test("a key without trade permission cannot trade, but reads its user's orders", async () => {
    const [one] = await stage.traders(1);
    const { user } = one;
    const key = await stage.sandbox.admin.issueKey({ user, canTrade: false, canWithdraw: false });
    const { here } = stage.clientsOf({ ...key, user });
    const { id } = await place(one.here, BUY);
    for (const answer of [
      await here.post('/order', { ...ORDER, ...BUY }),
      await here.post('/orders', { orders: [{ ...ORDER, ...BUY }] }),
      await here.put('/order', { order_id: id, size: 1 }),
      await here.delete('/order', { order_id: id }),
      await here.delete('/orders/all'),
      await here.post('/order/dead-man-switch', { timeout: 5 }),
      await here.post('/order/execute', { token: 'x' }),
    ]) {
      assert.equal(answer.status, 403, answer.text);
    }
    assert.equal((await read(here, id)).status, 'new');
  });

  test("a dead man's switch cancels the orders of its key, and its state shows that", async () => {
    const [one] = await stage.traders(1);
    const other = stage.clientsOf({
      ...(await stage.sandbox.admin.issueKey({ user: one.user })),
      user: one.user,
    });
    const switchOf = async () => taken(await one.there.get('/order/dead-man-switch'));
    const none = { armed: false, fires_at: null, fired_at: null, orders_canceled: 0 };
    assert.deepEqual(await switchOf(), none);
    const { id } = await place(one.here, BUY);
    const kept = await place(other.here, BUY);
    const armed = taken(await one.here.post('/order/dead-man-switch', { timeout: 3_600 }));
    assert.equal(armed.armed, true);
    assert.deepEqual(await switchOf(), { ...none, ...armed });
    const disarmed = taken(await one.here.post('/order/dead-man-switch', { timeout: 0 }));
    assert.deepEqual(disarmed, { armed: false, fires_at: null });
    assert.deepEqual(await switchOf(), none);
    for (const timeout of [-1, 86_401, 1.5]) {
      assert.equal((await one.here.post('/order/dead-man-switch', { timeout })).status, 400);
    }
    taken(await one.here.post('/order/dead-man-switch', { timeout: 1 }));
    const question = async () => (await switchOf()).fired_at !== null;
    await waitUntil({ what: 'the switch has fired', timeoutMs: 30_000, question });
    assert.equal((await switchOf()).orders_canceled, 1);
    assert.equal((await read(one.here, id)).close_reason, 'canceled_by_dead_man_switch');
    assert.equal((await read(one.here, kept.id)).status, 'new');
  });

  test('without the projector, orders are accepted and canceled without an error', async () => {
    const [one, two] = await stage.traders(2);
    const [untouched, touched] = [await place(one.here, BUY), await place(one.here, BUY)];
    const elsewhere = await place(one.there, { ...BUY, price: '59000' });
    await stage.sandbox.service('projector').kill();
    try {
      // First in the queue at this price.
      await place(two.here, { ...SELL, size: '0.004' });
      const whole = taken(await one.here.delete('/order', { order_id: touched.id }));
      assert.deepEqual([whole.status, whole.filled, whole.average], ['canceled', 0, 0]);
      const part = taken(await one.here.delete('/order', { order_id: untouched.id }));
      assert.deepEqual([part.status, part.size, part.filled], ['canceled', 0.01, 0.004]);
      assert.deepEqual([part.average, part.fee], [undefined, undefined]);
      const little = taken(await one.here.delete('/order', { order_id: elsewhere.id }));
      const { close_reason, id, side, status, symbol } = little;
      assert.deepEqual([id, side, symbol, status], [elsewhere.id, 'buy', 'btc-usdt', 'canceled']);
      assert.deepEqual([close_reason, little.size], ['canceled_by_user', undefined]);
      const answer = await one.here.get('/order', { order_id: untouched.id });
      assert.deepEqual([answer.status, answer.body.code], [503, 2032]);
      assert.equal(answer.headers.get('retry-after'), '1');
    } finally {
      await stage.sandbox.service('projector').start();
    }
    assert.equal((await read(one.here, untouched.id)).filled, 0.004);
  });

  test('without PostgreSQL, orders are placed, filled and canceled', async () => {
    const [one, two] = await stage.traders(2);
    for (const client of [one.here, two.here]) taken(await client.delete('/orders/all'));
    await stage.sandbox.postgres.stop();
    try {
      const { id } = await place(one.here, BUY);
      assert.equal((await place(two.here, { ...SELL, size: '0.004' })).status, 'filled');
      const { filled, status } = taken(await one.here.delete('/order', { order_id: id }));
      assert.deepEqual([status, filled], ['canceled', 0.004]);
      const rest = await place(one.here, { ...BUY, client_order_id: 'away' });
      const [canceled] = taken(await one.here.delete('/orders/all'));
      assert.deepEqual([canceled.id, canceled.status], [rest.id, 'canceled']);
      assert.equal((await one.here.get('/order', { order_id: id })).status, 503);
    } finally {
      await stage.sandbox.postgres.start();
    }
    const isBack = async () => {
      const { status, text } = await one.here.get('/order', { client_order_id: 'away' });
      assert.ok(status === 200 || status === 503, text);
      return status === 200;
    };
    await waitUntil({ what: 'the tables are back', timeoutMs: 60_000, question: isBack });
  });
});
