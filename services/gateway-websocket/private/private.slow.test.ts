// Private topics and cancel on disconnect on a full exchange with two websocket gateways. Validates
// each message against the protocol schemas.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Received, StreamProbe, signedUrl } from '../../../testing/stream/stream-probe.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

const PATIENCE_MS = 30_000;
// At least two thirds of it remain when a gateway is killed.
const SWITCH_S = 15;
const LEFT_MS = 10_000;
const REST = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001 };

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ streams: 2 });
});
after(() => sandbox.stop());

async function traders(count: number): Promise<{ trader: Trader; rest: RestClient }[]> {
  const made = await sandbox.createTraders({ count, funds: { btc: '10', usdt: '1000000' } });
  return made.map((trader) => {
    const { key, secret } = trader;
    return { trader, rest: new RestClient({ url: sandbox.url, key, secret }) };
  });
}

/** Opens a socket on one of the gateways. */
async function listen(trader: Trader, gateway = 0): Promise<StreamProbe> {
  const probe = await StreamProbe.open(signedUrl(sandbox.streamUrls[gateway], trader));
  assert.deepEqual(await probe.next(), { message: 'Welcome!' });
  assert.deepEqual(await probe.next(), { message: `User ${trader.email} authenticated` });
  return probe;
}

async function place(rest: RestClient, fields: object): Promise<Received> {
  const { body, status, text } = await rest.post('/order', { ...REST, ...fields });
  assert.equal(status, 200, text);
  return body;
}

async function cancel(rest: RestClient, id: string): Promise<void> {
  const { status, text } = await rest.delete('/order', { order_id: id });
  assert.equal(status, 200, text);
}

test('a maker receives orders, trades and balances in the format that clients expect', async () => {
  const [maker, taker] = await traders(2);
  const first = await place(maker.rest, { price: 50_000 });
  const probe = await listen(maker.trader);
  probe.subscribe('order:btc-usdt', 'usertrade', 'wallet');
  const partials = [await probe.next(), await probe.next(), await probe.next()];
  const [orders, trades, wallet] = ['order', 'usertrade', 'wallet'].map((topic) =>
    partials.find((message) => message.topic === topic),
  );
  assert.deepEqual(orders.data, [first]);
  assert.deepEqual(trades.data, []);
  assert.deepEqual([wallet.data.usdt_balance, wallet.data.usdt_available], [1_000_000, 999_950]);
  assert.deepEqual([wallet.data.btc_balance, wallet.data.eur_balance], [10, 0]);

  const resting = await place(maker.rest, { price: 49_000 });
  const inserted = await probe.nextOf('order');
  assert.deepEqual([inserted.action, inserted.symbol], ['insert', 'btc-usdt']);
  assert.deepEqual(inserted.data, [resting]);
  const { data: balances } = await probe.nextOf('wallet');
  assert.deepEqual([balances.usdt_available, balances.btc_balance], [999_901, 10]);

  await place(taker.rest, { side: 'sell', price: 50_000, size: 0.0004 });
  const fill = await probe.nextOf('usertrade');
  assert.equal(fill.action, 'insert');
  const [{ order_id, price, side, size }] = fill.data;
  assert.deepEqual([order_id, price, side, size], [first.id, 50_000, 'buy', 0.0004]);
  const updated = await probe.nextOf('order');
  assert.deepEqual([updated.action, updated.data[0].status], ['update', 'pfilled']);
  assert.equal((await probe.nextOf('wallet')).data.usdt_balance, 999_980);

  probe.send({ op: 'subscribe', args: ['wallet'] });
  const { error } = await probe.next();
  assert.equal(error, `Already subscribed to channel wallet:${maker.trader.user}`);
  probe.send({ op: 'unsubscribe', args: ['order'] });
  const { message } = await probe.next();
  assert.equal(message, `Unsubscribed from channel order:${maker.trader.user}`);
  await cancel(maker.rest, resting.id);
  assert.equal((await probe.next()).topic, 'wallet', 'orders are no longer sent');
  probe.close();
});

test('an unauthenticated socket cannot subscribe to private topics', async () => {
  const probe = await StreamProbe.open(sandbox.streamUrls[0]);
  await probe.next();
  for (const topic of ['order', 'usertrade', 'wallet', 'private']) {
    probe.subscribe(topic);
    assert.deepEqual(await probe.next(), { error: 'Bearer or HMAC authentication required' });
  }
  probe.send({ op: 'cancel_on_disconnect', args: [{ timeout: 30 }] });
  assert.deepEqual(await probe.next(), { error: 'Bearer or HMAC authentication required' });
  probe.close();
});

test('a client resumes on another gateway without gaps or repeats', async () => {
  const [{ rest, trader }] = await traders(1);
  const probe = await listen(trader);
  probe.subscribe('private');
  const snapshot = await probe.nextOf('private');
  assert.deepEqual([snapshot.action, snapshot.previous], ['snapshot', null]);
  assert.deepEqual(
    snapshot.data.map(({ topic }: Received) => topic),
    ['order', 'usertrade', 'wallet'],
  );
  const one = await place(rest, { price: 50_000 });
  const event = await probe.nextOf('private');
  assert.deepEqual([event.action, event.previous], ['event', snapshot.sequence]);
  assert.deepEqual(event.data[0].data, [one]);
  probe.close();

  const two = await place(rest, { price: 50_001 });
  await cancel(rest, one.id);
  const again = await listen(trader, 1);
  again.send({ op: 'subscribe', args: ['private'], resume_from: event.sequence });
  const resumed = await again.nextOf('private');
  assert.deepEqual(
    [resumed.action, resumed.sequence, resumed.data],
    ['resumed', event.sequence, []],
  );
  const [missed, canceled] = [await again.nextOf('private'), await again.nextOf('private')];
  assert.deepEqual([missed.previous, missed.data[0].data], [event.sequence, [two]]);
  assert.deepEqual(
    [canceled.previous, canceled.data[0].data[0].id, canceled.data[0].data[0].status],
    [missed.sequence, one.id, 'canceled'],
  );
  again.close();

  const future = await listen(trader, 1);
  future.send({ op: 'subscribe', args: ['private'], resume_from: '999999999.0' });
  const began = await future.nextOf('private');
  assert.equal(began.action, 'snapshot');
  assert.deepEqual(began.data[0].data, [two]);
  future.close();
});

test('the resumable snapshot has all open orders, and the order topic the last 50', async () => {
  const [{ rest, trader }] = await traders(1);
  const first = await place(rest, { price: 50_100 });
  await cancel(rest, first.id);
  const wishes = Array.from({ length: 50 }, (_, index) => ({ ...REST, price: 50_000 + index }));
  const { body, status } = await rest.post('/orders', { orders: wishes });
  assert.equal(status, 200, JSON.stringify(body));
  const last = await place(rest, { price: 49_999 });
  const closed = await place(rest, { price: 50_200 });
  await cancel(rest, closed.id);
  const probe = await listen(trader);
  probe.subscribe('private', 'order');
  const [all, some] = [await probe.nextOf('private'), await probe.nextOf('order')];
  const orders = all.data[0].data;
  assert.equal(orders.length, 51);
  assert.deepEqual(orders[50], last);
  assert.equal(some.data.length, 50);
  const [newest, ...open] = some.data;
  assert.deepEqual([newest.id, newest.status], [closed.id, 'canceled']);
  assert.deepEqual(open, orders.slice(2).reverse());
  probe.close();
});

test('trading continues without the publisher, and nothing is missed afterwards', async () => {
  const [{ rest, trader }] = await traders(1);
  const probe = await listen(trader);
  probe.subscribe('private');
  await probe.nextOf('private');
  await sandbox.service('publisher').kill('SIGKILL');
  const placed = [await place(rest, { price: 50_000 }), await place(rest, { price: 50_001 })];
  await sandbox.service('publisher').start();
  for (const order of placed) {
    const { action, data } = await probe.nextOf('private');
    // If this takes long, the tables deliver it first.
    if (action === 'snapshot') {
      assert.deepEqual(data[0].data, placed);
      break;
    }
    assert.deepEqual(data[0].data, [order]);
  }
  probe.close();
});

/** Returns the number of the trader's open orders. */
async function openCount(rest: RestClient): Promise<number> {
  const { body, status, text } = await rest.get('/orders', { open: true });
  assert.equal(status, 200, text);
  return body.count;
}

async function arm(probe: StreamProbe, timeout: number): Promise<void> {
  probe.send({ op: 'cancel_on_disconnect', args: [{ timeout }] });
  const message =
    timeout === 0 ? 'Cancel on disconnect is off' : `Cancel on disconnect after ${timeout} seconds`;
  assert.deepEqual(await probe.next(), { message });
}

async function untilCanceled(rest: RestClient): Promise<void> {
  const question = async () => (await openCount(rest)) === 0;
  await waitUntil({ what: 'orders are canceled', timeoutMs: PATIENCE_MS, question });
}

test('orders are canceled with the last socket that requested it, on any gateway', async () => {
  const [{ rest, trader }] = await traders(1);
  await place(rest, { price: 50_000 });
  const [one, two, three] = [await listen(trader), await listen(trader, 1), await listen(trader)];
  await arm(one, 3_600);
  await arm(two, 3_600);
  await arm(three, 3_600);
  await arm(three, 0);
  one.close();
  // Long enough for the switch to fire if the other gateway did not renew it.
  await delay(2_500);
  assert.equal(await openCount(rest), 1);
  two.close();
  await untilCanceled(rest);
  three.close();
});

test('cancel on disconnect cancels nothing once it is turned off', async () => {
  const [{ rest, trader }] = await traders(1);
  await place(rest, { price: 50_000 });
  const probe = await listen(trader);
  await arm(probe, 5);
  await arm(probe, 0);
  probe.close();
  await delay(2_500);
  assert.equal(await openCount(rest), 1);
  const { body, status, text } = await rest.get('/order/dead-man-switch');
  assert.equal(status, 200, text);
  assert.equal(body.armed, false);
});

test('orders of a killed gateway are canceled; a gateway that shuts down leaves time', async () => {
  const [{ rest, trader }] = await traders(1);
  const service = sandbox.service('gateway-websocket-2');
  for (const end of ['SIGKILL', 'SIGTERM'] as const) {
    await place(rest, { price: 50_000 });
    const probe = await listen(trader, 1);
    await arm(probe, SWITCH_S);
    const beganMs = performance.now();
    await service.kill(end);
    // Longer than the timeout after a socket closes.
    await delay(2_500);
    const count = await openCount(rest);
    // If the machine stalls for that long, there is nothing left to observe.
    const isEarly = performance.now() - beganMs < LEFT_MS;
    if (isEarly) assert.equal(count, 1, `${end}: between 10 and 15 seconds were left`);
    await untilCanceled(rest);
    probe.close();
    await service.start();
  }
});
