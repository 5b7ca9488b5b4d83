// The stream against a server that fails on purpose: requests, delivered messages and retries.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeStream, type ReceiveHandler, until } from '../testing/client/fake-stream.ts';
import { RialtoError, RialtoStream, type StreamOptions } from './index.ts';
import type { StreamStatus } from './stream-connection.ts';

const TIMINGS = { backoff: { firstMs: 5, maxMs: 10 }, connectTimeoutMs: 2_000 };
const TRADE = { size: 0.1, price: 60000, side: 'buy', timestamp: 't' };

let fake: FakeStream;
const streams: RialtoStream[] = [];
beforeEach(async () => {
  fake = await FakeStream.start();
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await fake.stop();
});

function open(options: Partial<StreamOptions<'text'>> = {}): RialtoStream {
  const stream = new RialtoStream({
    url: fake.url,
    timings: TIMINGS,
    ...options,
  } as StreamOptions<'text'>);
  streams.push(stream);
  return stream;
}

function tradeMessage(action: string, symbol: string): string {
  const data = '[{"size":0.10,"price":60000,"side":"buy","timestamp":"t"}]';
  return `{"topic":"trade","action":"${action}","symbol":"${symbol}","data":${data},"time":5}`;
}

const sendTrades: ReceiveHandler = ({ args, op }, send) => {
  if (op !== 'subscribe') return;
  for (const arg of args) send(tradeMessage('partial', String(arg).slice('trade:'.length)));
};

async function failureOf(subscription: AsyncIterable<unknown>): Promise<RialtoError> {
  try {
    for await (const _ of subscription);
  } catch (fault) {
    assert.ok(fault instanceof RialtoError, String(fault));
    return fault;
  }
  return assert.fail('the subscription should have failed');
}

test('messages on a topic are read in order, with all digits', async () => {
  fake.onReceive = sendTrades;
  const seen: unknown[] = [];
  for await (const message of open().subscribe('trade', { symbol: 'BTC-USDT' })) {
    const [{ price, size }] = message.data;
    seen.push([message.action, message.symbol, size, price, message.time]);
    if (seen.length === 2) break;
    fake.send(tradeMessage('insert', 'eth-usdt'));
    fake.send(tradeMessage('insert', 'btc-usdt'));
  }
  assert.deepEqual(seen, [
    ['partial', 'btc-usdt', '0.10', '60000', 5],
    ['insert', 'btc-usdt', '0.10', '60000', 5],
  ]);
  const message = await fake.receivedUntil(2);
  assert.deepEqual(message, [
    { op: 'subscribe', args: ['trade:btc-usdt'] },
    { op: 'unsubscribe', args: ['trade:btc-usdt'] },
  ]);
});

test('decimals are numbers on request, and callbacks are called', async () => {
  fake.onReceive = sendTrades;
  const stream = new RialtoStream({ url: fake.url, timings: TIMINGS, decimals: 'number' });
  const sizes: number[] = [];
  stream.subscribe('trade', {
    symbol: 'btc-usdt',
    onMessage: ({ data }) => sizes.push(...data.map(({ size }) => size)),
  });
  await until(() => sizes.length > 0, 'a trade came');
  assert.deepEqual(sizes, [TRADE.size]);
  stream.close();
});

test('several channels share a request, and an invalid one fails alone', async () => {
  const known = new Set<unknown>();
  fake.onReceive = ({ args }, send) => {
    for (const arg of args) {
      if (arg === 'trade:bad') return send({ error: 'Invalid symbol' });
      if (known.has(arg)) return send({ error: `Already subscribed to channel ${arg}` });
      known.add(arg);
      send(tradeMessage('partial', String(arg).slice('trade:'.length)));
    }
  };
  const stream = open();
  const symbols = ['a', 'bad', 'c', 'd'];
  const [a, bad, c, d] = symbols.map((symbol) => stream.subscribe('trade', { symbol }));
  assert.match((await failureOf(bad)).message, /^Cannot subscribe to trade:bad: Invalid symbol$/);
  for (const [at, subscription] of [a, c, d].entries()) {
    const { value } = await subscription[Symbol.asyncIterator]().next();
    assert.equal(value?.symbol, ['a', 'c', 'd'][at]);
  }
  assert.deepEqual(
    fake.received[0].args,
    symbols.map((symbol) => `trade:${symbol}`),
  );
  const settled = fake.received.length;
  fake.drop();
  await fake.receivedUntil(settled + 1);
  assert.deepEqual(fake.received[settled].args, ['trade:a', 'trade:c', 'trade:d']);
});

test('a second subscription to a channel is rejected until the first is closed', async () => {
  const stream = open();
  const one = stream.subscribe('trade', { symbol: 'a' });
  stream.subscribe('trade', { symbol: 'b' });
  assert.throws(
    () => stream.subscribe('trade', { symbol: 'a' }),
    /trade:a already has a subscription/,
  );
  assert.throws(() => stream.subscribe('trade'), /trade already has a subscription/);
  await fake.receivedUntil(1);
  one.close();
  stream.subscribe('trade', { symbol: 'a' });
  await fake.receivedUntil(3);
  assert.deepEqual(
    fake.received.map(({ args, op }) => [op, args]),
    [
      ['subscribe', ['trade:a', 'trade:b']],
      ['unsubscribe', ['trade:a']],
      ['subscribe', ['trade:a']],
    ],
  );
});

test('a transient refusal is retried', async () => {
  let refusals = 0;
  fake.onReceive = (message, send) => {
    refusals += 1;
    if (refusals === 1) send({ error: 'Temporarily unavailable, try again' });
    else sendTrades(message, send);
  };
  const [message] = await take(open().subscribe('trade', { symbol: 'a' }), 1);
  assert.equal(message.symbol, 'a');
});

async function take<Message>(
  subscription: AsyncIterable<Message>,
  count: number,
): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of subscription) {
    messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}

test('the client authenticates first, with a valid signature', async () => {
  fake.onReceive = ({ op }, send) => {
    if (op === 'auth') send({ message: 'User a@example.com authenticated' });
    else
      send({ topic: 'wallet', action: 'partial', user_id: 7, data: { btc_balance: 0.5 }, time: 1 });
  };
  const [wallet] = await take(open({ key: 'k', secret: 's' }).subscribe('wallet'), 1);
  assert.deepEqual(wallet.data, { btc_balance: '0.5' });
  const [auth, subscribe] = fake.received;
  const [signed] = auth.args as [Record<string, string>];
  const text = `CONNECT/stream${signed['api-expires']}`;
  const signature = createHmac('sha256', 's').update(text).digest('hex');
  assert.deepEqual([auth.op, signed['api-key']], ['auth', 'k']);
  assert.equal(signed['api-signature'], signature);
  assert.equal(subscribe.op, 'subscribe');
});

test('refused credentials fail the stream with the reason', async () => {
  fake.onReceive = (_message, send) =>
    send({ error: 'Access denied: Access Denied: Invalid API key' });
  const statuses: StreamStatus[] = [];
  const stream = open({ key: 'k', secret: 's', onStatus: (status) => statuses.push(status) });
  const error = await failureOf(stream.subscribe('order'));
  assert.match(error.message, /Invalid API key/);
  assert.deepEqual(statuses, ['connecting', 'failed']);
  assert.throws(() => stream.subscribe('trade'), /The stream is failed/);
  assert.equal(fake.connections, 1);
});

test('authentication is retried after a transient error', async () => {
  fake.onReceive = ({ op }, send) => {
    if (op !== 'auth') return;
    if (fake.connections === 1) send({ error: 'Temporarily unavailable, try again' });
    else send({ message: 'User a authenticated' });
  };
  const stream = open({ key: 'k', secret: 's' });
  stream.subscribe('order');
  await until(() => stream.status === 'open', 'it is open');
  assert.equal(fake.connections, 2);
});

test('after a lost connection the client reconnects and resubscribes', async () => {
  fake.onReceive = sendTrades;
  const statuses: StreamStatus[] = [];
  const stream = open({ onStatus: (status) => statuses.push(status) });
  const reading = take(stream.subscribe('trade', { symbol: 'a' }), 3);
  await fake.receivedUntil(1);
  fake.drop();
  await fake.receivedUntil(2);
  fake.drop();
  assert.equal((await reading).length, 3);
  const cycle = ['connecting', 'open', 'waiting'];
  assert.deepEqual(statuses.slice(0, 8), [...cycle, ...cycle, 'connecting', 'open']);
});

test('with several servers each reconnect uses the next', async () => {
  const other = await FakeStream.start();
  try {
    const stream = open({ url: [fake.url, `${other.url.replace('http', 'ws')}/stream`] });
    stream.subscribe('trade');
    await fake.receivedUntil(1);
    await fake.stop();
    await other.receivedUntil(1);
    fake = await FakeStream.start();
  } finally {
    await other.stop();
  }
});

test('an unreachable server is retried with backoff', async () => {
  const { url } = fake;
  await fake.stop();
  let attempts = 0;
  const stream = open({
    url,
    timings: { backoff: { firstMs: 4, maxMs: 16 } },
    onStatus: (status) => {
      if (status === 'connecting') attempts += 1;
    },
  });
  stream.subscribe('trade');
  await until(() => attempts >= 4, 'four attempts');
  stream.close();
  fake = await FakeStream.start();
});

test('the client sends pings', async () => {
  const stream = open({ timings: { ...TIMINGS, pingEveryMs: 10, silentMsMax: 10_000 } });
  stream.subscribe('trade');
  await until(() => fake.pings > 10, 'pings came');
  assert.equal(fake.connections, 1);
});

test('an unresponsive connection is closed and reopened', async () => {
  const stream = open({ timings: { ...TIMINGS, pingEveryMs: 10, silentMsMax: 60 } });
  stream.subscribe('trade');
  await fake.receivedUntil(1);
  fake.isSilent = true;
  const { connections } = fake;
  await until(() => fake.connections > connections, 'it was connected again');
});

test('an unanswered request ends the connection even if pings are answered', async () => {
  fake.onReceive = ({ op }, send) => {
    if (op === 'auth' && fake.connections > 1) send({ message: 'User a authenticated' });
  };
  const stream = open({
    key: 'k',
    secret: 's',
    timings: { ...TIMINGS, answerTimeoutMs: 50, pingEveryMs: 10 },
  });
  stream.subscribe('order');
  await until(() => stream.status === 'open', 'it is open');
  assert.ok(fake.connections >= 2);
});

test("requests respect the exchange's rate limit", async () => {
  const timings = { ...TIMINGS, requestsMax: 3, requestsWithinMs: 150 };
  const startMs = performance.now();
  const stream = open({ timings });
  for (let at = 0; at < 9; at += 1) {
    stream.subscribe('trade', { symbol: `s${at}` });
    await fake.receivedUntil(at + 1);
  }
  assert.ok(performance.now() - startMs >= 300);
});

test('a reader that is too slow gets an error after the queued messages', async () => {
  fake.onReceive = sendTrades;
  const subscription = open().subscribe('trade', { symbol: 'a', waitingMax: 2 });
  await fake.receivedUntil(1);
  for (let at = 0; at < 5; at += 1) fake.send(tradeMessage('insert', 'a'));
  await fake.receivedUntil(2);
  const iterator = subscription[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value?.action, 'partial');
  assert.equal((await iterator.next()).value?.action, 'insert');
  await assert.rejects(iterator.next(), /more than 2 unread messages/);
  assert.equal((await iterator.next()).done, true);
  assert.equal(fake.received[1].op, 'unsubscribe');
});

test('closing ends the iterators and the connection', async () => {
  fake.onReceive = sendTrades;
  const stream = open();
  const subscription = stream.subscribe('trade', { symbol: 'a' });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { action } of subscription) {
      seen.push(action);
      stream.close();
    }
  })();
  await reading;
  assert.deepEqual(seen, ['partial']);
  assert.equal(stream.status, 'closed');
  await until(() => fake.openSockets === 0, 'the socket is closed');
  assert.throws(() => stream.subscribe('price'), /The stream is closed/);
});

test('a callback that throws ends its subscription and the error is reported', async () => {
  fake.onReceive = sendTrades;
  const faults: unknown[] = [];
  const stream = open();
  stream.subscribe('trade', {
    symbol: 'a',
    onMessage: () => {
      throw new Error('mine');
    },
    onError: (fault) => faults.push(fault),
  });
  await until(() => faults.length === 1, 'the fault is reported');
  assert.match(String(faults[0]), /mine/);
  assert.equal((await fake.receivedUntil(2))[1].op, 'unsubscribe');
});

test('cancel on disconnect is repeated after a reconnect; failures are reported', async () => {
  const faults: string[] = [];
  fake.onReceive = ({ op }, send) => {
    if (op === 'auth') send({ message: 'User a authenticated' });
    else if (fake.connections === 1) send({ message: 'Cancel on disconnect after 30 seconds' });
    else send({ error: 'Cancel on disconnect could not be set: outcome unknown' });
  };
  const stream = open({
    key: 'k',
    secret: 's',
    onFault: (channel, fault) => faults.push(`${channel}: ${fault}`),
  });
  assert.equal(await stream.cancelOnDisconnect(30), 'Cancel on disconnect after 30 seconds');
  fake.drop();
  await until(() => faults.length > 0, 'the fault is reported');
  assert.deepEqual(faults, ['cancel_on_disconnect: not protected']);
  const wish = { op: 'cancel_on_disconnect', args: [{ timeout: 30 }] };
  assert.deepEqual([fake.received[1], fake.received[3]], [wish, wish]);
});

test('a refused cancel on disconnect is an error', async () => {
  fake.onReceive = (_message, send) => send({ error: 'Bearer or HMAC authentication required' });
  await assert.rejects(open().cancelOnDisconnect(30), /authentication required/);
});

test('the time from a ping to its response is reported', async () => {
  fake.onReceive = sendTrades;
  const latencies: number[] = [];
  open({ onLatency: (latencyMs) => latencies.push(latencyMs) }).subscribe('trade', {
    symbol: 'btc-usdt',
    onMessage() {},
  });
  await until(() => latencies.length > 0, 'a latency');
  assert.ok(latencies[0] >= 0 && latencies[0] < 2_000, String(latencies));
});
