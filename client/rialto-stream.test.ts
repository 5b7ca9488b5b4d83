// The stream against a server that misbehaves on purpose: what is said, what is handed on, and what
// is asked for again.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeStream, type Reaction, until } from '../testing/client/fake-stream.ts';
import { RialtoError, RialtoStream, type StreamOptions, type StreamStatus } from './index.ts';

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

const sendTrades: Reaction = ({ args, op }, say) => {
  if (op !== 'subscribe') return;
  for (const arg of args) say(tradeMessage('partial', String(arg).slice('trade:'.length)));
};

async function failureOf(following: AsyncIterable<unknown>): Promise<RialtoError> {
  try {
    for await (const _ of following);
  } catch (fault) {
    assert.ok(fault instanceof RialtoError, String(fault));
    return fault;
  }
  return assert.fail('it should have failed');
}

test('what comes from a topic is read one after the other, with all digits', async () => {
  fake.react = sendTrades;
  const seen: unknown[] = [];
  for await (const message of open().follow('trade', { symbol: 'BTC-USDT' })) {
    const [{ price, size }] = message.data;
    seen.push([message.action, message.symbol, size, price, message.time]);
    if (seen.length === 2) break;
    fake.say(tradeMessage('insert', 'eth-usdt'));
    fake.say(tradeMessage('insert', 'btc-usdt'));
  }
  assert.deepEqual(seen, [
    ['partial', 'btc-usdt', '0.10', '60000', 5],
    ['insert', 'btc-usdt', '0.10', '60000', 5],
  ]);
  const heard = await fake.heardUntil(2);
  assert.deepEqual(heard, [
    { op: 'subscribe', args: ['trade:btc-usdt'] },
    { op: 'unsubscribe', args: ['trade:btc-usdt'] },
  ]);
});

test('decimals are numbers for those who ask, and callbacks are called', async () => {
  fake.react = sendTrades;
  const stream = new RialtoStream({ url: fake.url, timings: TIMINGS, decimals: 'number' });
  const sizes: number[] = [];
  stream.follow('trade', {
    symbol: 'btc-usdt',
    onMessage: ({ data }) => sizes.push(...data.map(({ size }) => size)),
  });
  await until(() => sizes.length > 0, 'a trade came');
  assert.deepEqual(sizes, [TRADE.size]);
  stream.close();
});

test('several channels are asked for together, and one that is wrong fails alone', async () => {
  const known = new Set<unknown>();
  fake.react = ({ args }, say) => {
    for (const arg of args) {
      if (arg === 'trade:bad') return say({ error: 'Invalid symbol' });
      if (known.has(arg)) return say({ error: `Already subscribed to channel ${arg}` });
      known.add(arg);
      say(tradeMessage('partial', String(arg).slice('trade:'.length)));
    }
  };
  const stream = open();
  const symbols = ['a', 'bad', 'c', 'd'];
  const [a, bad, c, d] = symbols.map((symbol) => stream.follow('trade', { symbol }));
  assert.match((await failureOf(bad)).message, /^trade:bad can not be followed: Invalid symbol$/);
  for (const [at, following] of [a, c, d].entries()) {
    const { value } = await following[Symbol.asyncIterator]().next();
    assert.equal(value?.symbol, ['a', 'c', 'd'][at]);
  }
  assert.deepEqual(
    fake.heard[0].args,
    symbols.map((symbol) => `trade:${symbol}`),
  );
  const settled = fake.heard.length;
  fake.drop();
  await fake.heardUntil(settled + 1);
  assert.deepEqual(fake.heard[settled].args, ['trade:a', 'trade:c', 'trade:d']);
});

test('what is followed already is refused, until it is closed', async () => {
  const stream = open();
  const one = stream.follow('trade', { symbol: 'a' });
  stream.follow('trade', { symbol: 'b' });
  assert.throws(() => stream.follow('trade', { symbol: 'a' }), /trade:a is followed already/);
  assert.throws(() => stream.follow('trade'), /trade is followed already/);
  await fake.heardUntil(1);
  one.close();
  stream.follow('trade', { symbol: 'a' });
  await fake.heardUntil(3);
  assert.deepEqual(
    fake.heard.map(({ args, op }) => [op, args]),
    [
      ['subscribe', ['trade:a', 'trade:b']],
      ['unsubscribe', ['trade:a']],
      ['subscribe', ['trade:a']],
    ],
  );
});

test('what is only refused for now is asked for again', async () => {
  let refusals = 0;
  fake.react = (heard, say) => {
    refusals += 1;
    if (refusals === 1) say({ error: 'Temporarily unavailable, try again' });
    else sendTrades(heard, say);
  };
  const [message] = await take(open().follow('trade', { symbol: 'a' }), 1);
  assert.equal(message.symbol, 'a');
});

async function take<Message>(following: AsyncIterable<Message>, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of following) {
    messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}

test('the name is said first, in a signature that counts', async () => {
  fake.react = ({ op }, say) => {
    if (op === 'auth') say({ message: 'User a@example.com authenticated' });
    else
      say({ topic: 'wallet', action: 'partial', user_id: 7, data: { btc_balance: 0.5 }, time: 1 });
  };
  const [wallet] = await take(open({ key: 'k', secret: 's' }).follow('wallet'), 1);
  assert.deepEqual(wallet.data, { btc_balance: '0.5' });
  const [auth, subscribe] = fake.heard;
  const [signed] = auth.args as [Record<string, string>];
  const text = `CONNECT/stream${signed['api-expires']}`;
  const signature = createHmac('sha256', 's').update(text).digest('hex');
  assert.deepEqual([auth.op, signed['api-key']], ['auth', 'k']);
  assert.equal(signed['api-signature'], signature);
  assert.equal(subscribe.op, 'subscribe');
});

test('credentials that are refused end the stream with the reason', async () => {
  fake.react = (_heard, say) => say({ error: 'Access denied: Access Denied: Invalid API key' });
  const statuses: StreamStatus[] = [];
  const stream = open({ key: 'k', secret: 's', onStatus: (status) => statuses.push(status) });
  const error = await failureOf(stream.follow('order'));
  assert.match(error.message, /Invalid API key/);
  assert.deepEqual(statuses, ['connecting', 'failed']);
  assert.throws(() => stream.follow('trade'), /The stream is failed/);
  assert.equal(fake.connections, 1);
});

test('a name that can not be looked up now is said again', async () => {
  fake.react = ({ op }, say) => {
    if (op !== 'auth') return;
    if (fake.connections === 1) say({ error: 'Temporarily unavailable, try again' });
    else say({ message: 'User a authenticated' });
  };
  const stream = open({ key: 'k', secret: 's' });
  stream.follow('order');
  await until(() => stream.status === 'open', 'it is open');
  assert.equal(fake.connections, 2);
});

test('a lost connection is made again, and everything is followed anew', async () => {
  fake.react = sendTrades;
  const statuses: StreamStatus[] = [];
  const stream = open({ onStatus: (status) => statuses.push(status) });
  const reading = take(stream.follow('trade', { symbol: 'a' }), 3);
  await fake.heardUntil(1);
  fake.drop();
  await fake.heardUntil(2);
  fake.drop();
  assert.equal((await reading).length, 3);
  const cycle = ['connecting', 'open', 'waiting'];
  assert.deepEqual(statuses.slice(0, 8), [...cycle, ...cycle, 'connecting', 'open']);
});

test('of several servers the next is tried after a loss', async () => {
  const other = await FakeStream.start();
  try {
    const stream = open({ url: [fake.url, `${other.url.replace('http', 'ws')}/stream`] });
    stream.follow('trade');
    await fake.heardUntil(1);
    await fake.stop();
    await other.heardUntil(1);
    fake = await FakeStream.start();
  } finally {
    await other.stop();
  }
});

test('a server that is away is tried again, later each time', async () => {
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
  stream.follow('trade');
  await until(() => attempts >= 4, 'four attempts');
  stream.close();
  fake = await FakeStream.start();
});

test('pings keep it awake', async () => {
  const stream = open({ timings: { ...TIMINGS, pingEveryMs: 10, silentMsMax: 10_000 } });
  stream.follow('trade');
  await until(() => fake.pings > 10, 'pings came');
  assert.equal(fake.connections, 1);
});

test('silence ends it, and it is connected again', async () => {
  const stream = open({ timings: { ...TIMINGS, pingEveryMs: 10, silentMsMax: 60 } });
  stream.follow('trade');
  await fake.heardUntil(1);
  fake.isSilent = true;
  const { connections } = fake;
  await until(() => fake.connections > connections, 'it was connected again');
});

test('a request that is never answered ends the connection, even if pings are', async () => {
  fake.react = ({ op }, say) => {
    if (op === 'auth' && fake.connections > 1) say({ message: 'User a authenticated' });
  };
  const stream = open({
    key: 'k',
    secret: 's',
    timings: { ...TIMINGS, answerTimeoutMs: 50, pingEveryMs: 10 },
  });
  stream.follow('order');
  await until(() => stream.status === 'open', 'it is open');
  assert.ok(fake.connections >= 2);
});

test('requests do not come faster than the exchange takes them', async () => {
  const timings = { ...TIMINGS, requestsMax: 3, requestsWithinMs: 150 };
  const startMs = performance.now();
  const stream = open({ timings });
  for (let at = 0; at < 9; at += 1) {
    stream.follow('trade', { symbol: `s${at}` });
    await fake.heardUntil(at + 1);
  }
  assert.ok(performance.now() - startMs >= 300);
});

test('whoever reads too slowly is told, after what waited', async () => {
  fake.react = sendTrades;
  const following = open().follow('trade', { symbol: 'a', waitingMax: 2 });
  await fake.heardUntil(1);
  for (let at = 0; at < 5; at += 1) fake.say(tradeMessage('insert', 'a'));
  await fake.heardUntil(2);
  const iterator = following[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value?.action, 'partial');
  assert.equal((await iterator.next()).value?.action, 'insert');
  await assert.rejects(iterator.next(), /More than 2 messages wait to be read/);
  assert.equal((await iterator.next()).done, true);
  assert.equal(fake.heard[1].op, 'unsubscribe');
});

test('closing ends what is read and the connection', async () => {
  fake.react = sendTrades;
  const stream = open();
  const following = stream.follow('trade', { symbol: 'a' });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { action } of following) {
      seen.push(action);
      stream.close();
    }
  })();
  await reading;
  assert.deepEqual(seen, ['partial']);
  assert.equal(stream.status, 'closed');
  await until(() => fake.openSockets === 0, 'the socket is closed');
  assert.throws(() => stream.follow('price'), /The stream is closed/);
});

test('a callback that throws ends what it follows, and is told', async () => {
  fake.react = sendTrades;
  const faults: unknown[] = [];
  const stream = open();
  stream.follow('trade', {
    symbol: 'a',
    onMessage: () => {
      throw new Error('mine');
    },
    onError: (fault) => faults.push(fault),
  });
  await until(() => faults.length === 1, 'the fault was told');
  assert.match(String(faults[0]), /mine/);
  assert.equal((await fake.heardUntil(2))[1].op, 'unsubscribe');
});

test('cancel on disconnect is set again on a new connection, and told when it is not', async () => {
  const troubles: string[] = [];
  fake.react = ({ op }, say) => {
    if (op === 'auth') say({ message: 'User a authenticated' });
    else if (fake.connections === 1) say({ message: 'Cancel on disconnect after 30 seconds' });
    else say({ error: 'Cancel on disconnect could not be set: outcome unknown' });
  };
  const stream = open({
    key: 'k',
    secret: 's',
    onTrouble: (channel, trouble) => troubles.push(`${channel}: ${trouble}`),
  });
  assert.equal(await stream.cancelOnDisconnect(30), 'Cancel on disconnect after 30 seconds');
  fake.drop();
  await until(() => troubles.length > 0, 'it was told');
  assert.deepEqual(troubles, ['cancel_on_disconnect: not protected']);
  const wish = { op: 'cancel_on_disconnect', args: [{ timeout: 30 }] };
  assert.deepEqual([fake.heard[1], fake.heard[3]], [wish, wish]);
});

test('cancel on disconnect that is refused is an error', async () => {
  fake.react = (_heard, say) => say({ error: 'Bearer or HMAC authentication required' });
  await assert.rejects(open().cancelOnDisconnect(30), /authentication required/);
});
