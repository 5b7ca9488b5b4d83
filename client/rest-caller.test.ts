// REST calls against a server that fails on purpose: signatures, parsing, retries, and unknown
// outcomes.

import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { type FakeAnswer, FakeRest } from '../testing/client/fake-rest.ts';
import { until } from '../testing/client/fake-stream.ts';
import { RialtoClient, RialtoError } from './index.ts';

const SECRET = '3b1f0c6a9d2e4f58a7c1b0d9e8f7a6b5c4d3e2f1a0b9c8d7e6';
const ORDER = {
  symbol: 'btc-usdt',
  side: 'buy',
  type: 'limit',
  size: '0.1',
  price: '60000',
} as const;
const NAMED = { ...ORDER, client_order_id: 'mine-1' };
const QUICK = { backoff: { firstMs: 1, maxMs: 2 }, timeoutMs: 5_000 };

// One server per test: a request that a test aborted may still arrive later.
let fake: FakeRest;
beforeEach(async () => {
  fake = await FakeRest.start();
});
afterEach(() => fake.stop());

function client(options: object = {}): RialtoClient {
  return new RialtoClient({ url: fake.url, key: 'k', secret: SECRET, ...QUICK, ...options });
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): FakeAnswer {
  const text = JSON.stringify({ message: `refused ${status}`, lang: 'en', code: 1_000 + status });
  return { status, headers, text };
}

async function errorOf(call: Promise<unknown>): Promise<RialtoError> {
  const fault = await call.then(
    () => assert.fail('the call should have failed'),
    (reason: unknown) => reason,
  );
  assert.ok(fault instanceof RialtoError, String(fault));
  return fault;
}

test('in cookie mode every request has the page header and no signature', async () => {
  fake.answer({ text: '{}' });
  const page = new RialtoClient({ url: fake.url, session: 'cookie' });
  await page.getHealth();
  await page.getBalance();
  await page.createOrder(NAMED);
  const sent = fake.requests.map(({ headers }) => [headers['x-rialto-client'], headers['api-key']]);
  assert.deepEqual(sent, [
    ['1', undefined],
    ['1', undefined],
    ['1', undefined],
  ]);
});

test('an operator page names its app', async () => {
  fake.answer({ text: '{}' });
  await new RialtoClient({ url: fake.url, session: 'console' }).getBalance();
  assert.equal(fake.requests.at(-1)?.headers['x-rialto-client'], 'console');
});

test('signatures equal those in the documentation', async () => {
  fake.answer({ text: '{}' });
  // The signatures of docs/api/signing.md expire at 1767607200: 60 s after this time.
  const nowMs = () => (1_767_607_200 - 60) * 1_000;
  const one = client({ nowMs });
  await one.getBalance();
  await one.getOrders({ symbol: 'btc-usdt', open: true });
  await one.createOrder({
    symbol: 'btc-usdt',
    side: 'buy',
    size: '0.25',
    type: 'limit',
    price: '51234.5',
  });
  assert.deepEqual(
    fake.requests.map(({ headers }) => [headers['api-expires'], headers['api-signature']]),
    [
      ['1767607200', '31337dc94cf0244b024e480c7cbb09254123e5eed723d58a850e6300e174f44c'],
      ['1767607200', '51fae1696aee16b7747410cad4debfbce254d4bc0dec4b3034ee9087b41ce952'],
      ['1767607200', 'ca3b9d9d72670c71bc128a32c0382bf015ef4fd73e6def7d93d4eb61c0bbbfff'],
    ],
  );
});

test('equal orders within one second have one signature, like those of every client', async () => {
  fake.answer({ text: '{}' });
  const one = client({ nowMs: () => 1_767_607_200_500 });
  await Promise.all(Array.from({ length: 10 }, () => one.createOrder(ORDER)));
  const signatures = fake.requests.map(({ headers }) => headers['api-signature']);
  assert.deepEqual([signatures.length, new Set(signatures).size], [10, 1]);
});

test('an Ed25519 key signs the same text', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  fake.answer({ text: '{}' });
  await new RialtoClient({ url: fake.url, key: 'e', ed25519PrivateKey: pem }).getUser();
  const { headers } = fake.requests[0];
  const text = `GET/v2/user${headers['api-expires']}`;
  const signature = Buffer.from(String(headers['api-signature']), 'hex');
  assert.ok(verify(null, Buffer.from(text), publicKey, signature));
});

test('public calls are not signed, and undefined query fields are omitted', async () => {
  fake.answer({ text: '{}' });
  await client().getChart({ symbol: 'btc-usdt', resolution: '1h', from: 1, to: 2 });
  await client().getOrders({ symbol: undefined, start_date: '2026-01-01T00:00:00Z' } as never);
  await client().cancelOrders({ order_ids: ['a', 'b'] });
  const [chart, orders, cancel] = fake.requests;
  assert.equal(chart.target, '/v2/chart?symbol=btc-usdt&resolution=1h&from=1&to=2');
  assert.equal(chart.headers['api-key'], undefined);
  assert.equal(orders.target, '/v2/orders?start_date=2026-01-01T00%3A00%3A00Z');
  assert.equal(cancel.target, '/v2/orders?order_ids=a%2Cb');
  for (const { headers, method, target } of [orders, cancel]) {
    const text = `${method}${target}${headers['api-expires']}`;
    const signature = createHmac('sha256', SECRET).update(text).digest('hex');
    assert.equal(headers['api-signature'], signature);
  }
});

test('a path prefix that a proxy strips is not signed', async () => {
  fake.answer({ text: '{}' });
  await client({ url: `${fake.url}/api/` }).getBalance();
  const { headers, target } = fake.requests[0];
  assert.equal(target, '/api/v2/user/balance');
  const text = `GET/v2/user/balance${headers['api-expires']}`;
  assert.equal(headers['api-signature'], createHmac('sha256', SECRET).update(text).digest('hex'));
});

test('decimals are texts with all digits, or numbers on request', async () => {
  const text = '{"count":1,"data":[{"size":0.10000000000000000001,"created_by":7,"price":null}]}';
  fake.answer({ text });
  const texts = await client().getOrders();
  assert.deepEqual([texts.count, texts.data[0].size], [1, '0.10000000000000000001']);
  assert.deepEqual([texts.data[0].created_by, texts.data[0].price], [7, null]);
  const numbers = new RialtoClient({ url: fake.url, decimals: 'number' });
  const { data } = await numbers.getOrders();
  const size: number = data[0].size;
  assert.equal(size, 0.1);
});

test('a file is returned as text, and a plain value as a value', async () => {
  fake.answer({ status: 202, headers: { 'content-type': 'text/csv' }, text: 'id,size\n1,0.10\n' });
  assert.equal(await client().csv('getOrders', { symbol: 'x' }), 'id,size\n1,0.10\n');
  assert.equal(fake.requests[0].target, '/v2/orders?symbol=x&format=csv');
  fake.answer({ headers: { 'content-type': 'text/plain' }, text: '1767607200' });
  assert.equal(await client().getUdfTime(), 1_767_607_200);
});

test('a rejection is an error with its code and is not retried', async () => {
  const headers = { 'x-request-id': 'r-1' };
  fake.answer({ status: 400, headers, text: '{"message":"Insufficient balance","code":44}' });
  const error = await errorOf(client().createOrder(NAMED));
  assert.equal(error.message, 'Insufficient balance');
  assert.deepEqual([error.status, error.code, error.requestId], [400, 44, 'r-1']);
  assert.equal(error.isOutcomeUnknown, false);
  assert.equal(fake.requests.length, 1);
});

for (const told of [refusal(503), refusal(429), refusal(504), refusal(502), 'hang up'] as const) {
  const name = typeof told === 'string' ? told : (told as { status: number }).status;
  test(`a read is retried after ${name}`, async () => {
    fake.answer(told, told, { text: '{"id":"1"}' });
    assert.deepEqual(await client().getOrder({ order_id: '1' }), { id: '1' });
    assert.equal(fake.requests.length, 3);
  });
}

test('a read fails after the maximum of retries, and immediately after 400 and 500', async () => {
  fake.answer(refusal(503));
  assert.equal((await errorOf(client({ retriesMax: 2 }).getBalance())).status, 503);
  assert.equal(fake.requests.length, 3);
  for (const status of [400, 401, 500]) {
    fake.answer(refusal(status));
    assert.equal((await errorOf(client().getBalance())).status, status);
    assert.equal(fake.requests.length, 1);
  }
});

test('an order with a client order id is retried while its outcome is unknown', async () => {
  fake.answer('hang up', refusal(504), refusal(503), { text: '{"id":"1"}' });
  assert.deepEqual(await client().createOrder(NAMED), { id: '1' });
  assert.equal(fake.requests.length, 4);
});

test('a batch is retried only if all its orders have client order ids', async () => {
  fake.answer('hang up', { text: '{"data":[]}' });
  assert.deepEqual(await client().createOrders({ orders: [NAMED, NAMED] }), { data: [] });
  fake.answer('hang up', { text: '{"data":[]}' });
  const error = await errorOf(client().createOrders({ orders: [NAMED, ORDER] }));
  assert.equal(error.isOutcomeUnknown, true);
  assert.equal(fake.requests.length, 1);
});

const writes: [what: string, call: (one: RialtoClient) => Promise<unknown>][] = [
  ['an order without a name', (one) => one.createOrder(ORDER)],
  ['an amendment', (one) => one.amendOrder({ order_id: '1', size: 1 })],
  ['a cancel', (one) => one.cancelOrder({ client_order_id: 'mine-1' })],
  ['a withdrawal', (one) => one.createWithdrawal({ currency: 'btc', amount: 1, address: 'a' })],
];
for (const [what, call] of writes) {
  test(`${what} is never retried, and an unknown outcome is reported as unknown`, async () => {
    for (const told of ['hang up', refusal(504)] as const) {
      fake.answer(told, { text: '{}' });
      assert.equal((await errorOf(call(client()))).isOutcomeUnknown, true);
      assert.equal(fake.requests.length, 1);
    }
    for (const status of [503, 429]) {
      fake.answer(refusal(status), { text: '{}' });
      assert.equal((await errorOf(call(client()))).isOutcomeUnknown, false);
      assert.equal(fake.requests.length, 1);
    }
  });
}

test('a rejection after an unknown outcome leaves the outcome unknown', async () => {
  fake.answer('hang up', refusal(400));
  const error = await errorOf(client().createOrder(NAMED));
  assert.deepEqual([error.status, error.isOutcomeUnknown], [400, true]);
});

test('a refused connection is not an unknown outcome', async () => {
  const gone = await FakeRest.start();
  const { url } = gone;
  await gone.stop();
  const error = await errorOf(client({ url }).createOrder(NAMED));
  assert.deepEqual([error.status, error.isOutcomeUnknown], [0, false]);
});

test('a timeout is reported as a missing response', async () => {
  fake.answer('silence');
  const error = await errorOf(client({ timeoutMs: 100 }).createOrder(ORDER));
  assert.deepEqual([error.status, error.isOutcomeUnknown], [0, true]);
});

test('an aborted request stops waiting', async () => {
  fake.answer('silence');
  const giving = new AbortController();
  const call = client().getBalance({ signal: giving.signal });
  await until(() => fake.requests.length === 1, 'it was asked');
  giving.abort();
  await errorOf(call);
  assert.equal(fake.requests.length, 1);
});

test('retry-after is respected, and a long one is left to the caller', async () => {
  fake.answer(refusal(429, { 'retry-after': '1' }), { text: '{}' });
  const startMs = performance.now();
  await client().getBalance();
  assert.ok(performance.now() - startMs >= 990);
  fake.answer(refusal(429, { 'retry-after': '30' }), { text: '{}' });
  assert.equal((await errorOf(client().getBalance())).retryAfterMs, 30_000);
  assert.equal(fake.requests.length, 1);
});

test('an error caused by a wrong clock names the skew', async () => {
  const text = '{"message":"Access denied: Access Denied: API request is expired","code":93}';
  fake.answer({ status: 401, text });
  const one = client({ nowMs: () => Date.now() - 120_000 });
  const error = await errorOf(one.getBalance());
  assert.match(error.message, /is expired \(this machine's clock is 1(?:19|20|21) s behind\)$/);
  assert.ok(Math.abs((error.clockSkewMs ?? 0) - 120_000) < 2_000);
  const right = await errorOf(client().getBalance());
  assert.equal(right.clockSkewMs, undefined);
});

test('a response that is not JSON is an error, and for a write an unknown outcome', async () => {
  fake.answer({ text: '<html>' });
  assert.match((await errorOf(client().getBalance())).message, /is not JSON$/);
  assert.equal((await errorOf(client().createOrder(ORDER))).isOutcomeUnknown, true);
});
