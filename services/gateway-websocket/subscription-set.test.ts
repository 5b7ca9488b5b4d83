// A socket's subscriptions: all markets or some, each once. Refused ones get a response.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { socketHarness } from './socket-for-test.ts';

test('without a symbol all markets are subscribed, including markets listed later', () => {
  const { connect, orderbook } = socketHarness();
  const { say, socket, wire } = connect();
  wire.said();
  say({ op: 'subscribe', args: ['orderbook:ETH-usdt'] });
  say({ op: 'subscribe', args: ['orderbook'] });
  assert.deepEqual(wire.said(), [{ message: 'Already subscribed to channel orderbook:eth-usdt' }]);
  orderbook.list('xrp-usdt');
  socket.subscribeToNew();
  socket.subscribeToNew();
  const channels = () => [...orderbook.subscriptions].map(({ channel }) => channel).sort();
  const all = ['orderbook:btc-usdt', 'orderbook:eth-usdt', 'orderbook:xrp-usdt'];
  assert.deepEqual(channels(), all);
  say({ op: 'unsubscribe', args: ['orderbook:btc-usdt', 'orderbook'] });
  assert.deepEqual(
    (wire.said() as { message: string }[]).map(({ message }) => message),
    all.map((channel) => `Unsubscribed from channel ${channel}`),
  );
  orderbook.list('ada-usdt');
  socket.subscribeToNew();
  assert.deepEqual(channels(), []);
});

test('a refused argument gets an error, and the other arguments are served', () => {
  const { connect, orderbook } = socketHarness();
  const { say, wire } = connect();
  wire.said();
  const bad = ['bogus', 'orderbook:none', 'order', 7, 'x'.repeat(129)];
  say({ op: 'subscribe', args: ['orderbook:btc-usdt', ...bad, 'orderbook:eth-usdt'] });
  assert.deepEqual(wire.said(), [
    { error: 'Topic bogus is not supported' },
    { error: 'Invalid symbol' },
    { error: 'Bearer or HMAC authentication required' },
    { error: 'Error: wrong input' },
    { error: 'Error: wrong input: args have at most 128 characters' },
  ]);
  assert.deepEqual(
    [...orderbook.subscriptions].map(({ symbol }) => symbol),
    ['btc-usdt', 'eth-usdt'],
  );
  say({ op: 'unsubscribe', args: ['bogus', 'orderbook:btc-usdt'] });
  assert.deepEqual(wire.said(), [
    { error: 'Topic bogus is not supported' },
    { message: 'Unsubscribed from channel orderbook:btc-usdt' },
  ]);
});

test('arguments and channels repeated in a message count once', () => {
  const { connect, orderbook } = socketHarness();
  const { say, wire } = connect();
  wire.said();
  const repeated = ['orderbook', 'orderbook:btc-usdt', 'orderbook:BTC-usdt', 'orderbook:'];
  say({ op: 'subscribe', args: [...repeated, ...repeated] });
  assert.deepEqual(wire.said(), []);
  assert.equal(orderbook.subscriptions.size, 2);
  say({ op: 'subscribe', args: Array(500).fill('orderbook') });
  assert.equal(wire.said().length, 2, 'one reply for each market');
});

test('the number of replies to a message is limited, and the rest is counted', () => {
  const { connect } = socketHarness();
  const { say, wire } = connect();
  wire.said();
  say({ op: 'subscribe', args: Array.from({ length: 500 }, (_, at) => `bogus${at}`) });
  const said = wire.said();
  assert.equal(said.length, 21);
  assert.deepEqual(said.at(-1), {
    error: '480 more answers left out: at most 20 for a message',
  });
  say({ op: 'subscribe', args: Array(501).fill('orderbook') });
  assert.deepEqual(wire.said(), [{ error: 'Error: wrong input: at most 500 args in a message' }]);
});

test('a topic with a channel per market gets a reply even without markets', () => {
  const { connect, orderbook } = socketHarness();
  orderbook.channels = () => [];
  const { say, wire } = connect();
  wire.said();
  say({ op: 'subscribe', args: ['orderbook'] });
  assert.deepEqual(wire.said(), [{ message: 'Subscribed to orderbook: no markets listed yet' }]);
});

test('the number of subscriptions per socket is limited', () => {
  const { connect, orderbook } = socketHarness();
  for (let at = 0; at < 20; at += 1) orderbook.list(`a${at}-usdt`);
  const { say, socket, wire } = connect();
  wire.said();
  say({ op: 'subscribe', args: ['orderbook'] });
  assert.deepEqual(wire.said(), [{ error: 'Too many subscriptions: at most 10 for a socket' }]);
  assert.equal(socket.subscriptionCount, 10);
  socket.subscribeToNew();
  assert.equal(orderbook.subscriptions.size, 10);
});

test('channels are charged to the socket and to all sockets of the address', () => {
  const limits = { ...socketHarness().dependencies.limits, subscriptionsMax: 1_000 };
  const { connect, orderbook } = socketHarness({ limits });
  for (let at = 2; at < 500; at += 1) orderbook.list(`a${at}-usdt`);
  const { say, wire } = connect();
  wire.said();
  for (let count = 0; count < 3; count += 1) say({ op: 'subscribe', args: ['orderbook'] });
  assert.deepEqual(wire.said().at(-1), {
    error: 'Rate limit exceeded: at most 1000 channels in 3 seconds for a socket',
  });
  const others = Array.from({ length: 11 }, () => connect());
  for (const other of others) {
    for (let count = 0; count < 2; count += 1) other.say({ op: 'subscribe', args: ['orderbook'] });
  }
  assert.deepEqual(others.at(-1)?.wire.said().at(-1), { error: 'Rate limit exceeded: budget' });
});

test('abuse 76: a wave of subscriptions is served in turns and does not delay pings', async () => {
  const { clock, connect, orderbook } = socketHarness({ weightPerTurn: 5 });
  for (const name of ['c', 'd']) orderbook.list(name);
  const sockets = [1, 2, 3].map(() => connect());
  for (const { say } of sockets) say({ op: 'subscribe', args: ['orderbook'] });
  const counts = () => sockets.map(({ socket }) => socket.subscriptionCount);
  assert.deepEqual(counts(), [4, 1, 0]);
  const [, second, third] = sockets;
  third.wire.said();
  third.say({ op: 'ping' });
  third.say({ op: 'unsubscribe', args: ['orderbook:btc-usdt'] });
  assert.deepEqual(third.wire.said(), [{ message: 'pong' }]);
  second.socket.end();
  await clock.pass(0);
  assert.deepEqual(counts(), [4, 0, 3], 'a message is queued behind the previous one');
});
