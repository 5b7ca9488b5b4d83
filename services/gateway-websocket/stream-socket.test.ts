// A socket's subscriptions and its replies, in the exact texts that clients rely on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { AccessFault } from '../../infra/access/index.ts';
import { ERROR_CASES } from './error-cases-for-test.ts';
import { textFrame } from './frame.ts';
import type { SocketIdentity } from './identify-socket.ts';
import { callerOf, socketHarness } from './socket-for-test.ts';

const RATE_LIMITED = { error: 'Rate limit exceeded: at most 20 messages in 3 seconds' };

for (const [said, error] of ERROR_CASES) {
  test(`${said || 'nothing'} gets the reply: ${error}`, () => {
    const { hear, wire } = socketHarness().connect();
    assert.deepEqual(wire.said(), [{ message: 'Welcome!' }]);
    hear(said);
    assert.deepEqual(wire.said(), [{ error }]);
    assert.equal(wire.isOpen, true);
  });
}

test('an authenticated socket can use private topics; only operators, the admin topic', () => {
  const { connect } = socketHarness();
  const { say, wire } = connect(callerOf(7));
  assert.deepEqual(wire.said(), [
    { message: 'Welcome!' },
    { message: 'User u7@example.com authenticated' },
  ]);
  say({ op: 'auth', args: [{ authorization: 'Bearer x' }] });
  say({ op: 'subscribe', args: ['order:btc-usdt'] });
  say({ op: 'subscribe', args: ['order'] });
  say({ op: 'subscribe', args: ['admin'] });
  say({ op: 'unsubscribe', args: ['order'] });
  assert.deepEqual(wire.said(), [
    { error: 'Already authenticated' },
    { error: 'Already subscribed to channel order:7' },
    { error: 'User is not authorized to access this endpoint' },
    { message: 'Unsubscribed from channel order:7' },
  ]);
  const operator = connect(callerOf(7, { role: 'admin' }));
  operator.wire.said();
  operator.say({ op: 'subscribe', args: ['admin'] });
  assert.deepEqual(operator.wire.said(), []);
});

test('the twenty-first message within three seconds is rejected; pings do not count', () => {
  const { clock, connect } = socketHarness();
  const { say, wire } = connect();
  wire.said();
  for (let count = 0; count < 20; count += 1) {
    say({ op: 'ping' });
    say({ op: 'dance' });
  }
  assert.equal(wire.said().length, 40);
  say({ op: 'subscribe', args: ['orderbook:btc-usdt'] });
  assert.deepEqual(wire.said(), [RATE_LIMITED]);
  clock.advance(3_000);
  say({ op: 'subscribe', args: ['orderbook:btc-usdt'] });
  assert.deepEqual(wire.said(), []);
  for (let count = 0; count < 60; count += 1) say({ op: 'ping' });
  assert.deepEqual(wire.said().at(-1), { message: 'pong' });
  say({ op: 'ping' });
  assert.deepEqual(wire.said(), [RATE_LIMITED]);
});

test('messages received during authentication are queued until it is done', async () => {
  const { promise, resolve } = Promise.withResolvers<SocketIdentity>();
  const { connect, order } = socketHarness({ identify: () => promise });
  const { say, wire } = connect();
  wire.said();
  say({ op: 'auth', args: [{ authorization: 'Bearer x' }] });
  say({ op: 'subscribe', args: ['order'] });
  say({ op: 'ping' });
  assert.deepEqual(wire.said(), [{ message: 'pong' }]);
  resolve({ caller: callerOf(7), untilMs: Infinity });
  await turn();
  assert.deepEqual(wire.said(), [{ message: 'User u7@example.com authenticated' }]);
  assert.equal(order.subscriptions.size, 1);
});

test('neither an unavailable database nor a bug closes the socket', async () => {
  const world = socketHarness({
    identify: () => Promise.reject(new AccessFault('away')),
    operations: {
      break() {
        throw new Error('bug');
      },
    },
  });
  const { say, wire } = world.connect();
  wire.said();
  say({ op: 'auth', args: [{ authorization: 'Bearer x' }] });
  await turn();
  say({ op: 'break', args: [] });
  const unavailable = { error: 'Temporarily unavailable, try again' };
  assert.deepEqual(wire.said(), [unavailable, unavailable]);
  assert.deepEqual(world.faults.map(String), ['Error: bug']);
});

test('operations get their arguments, and their replies are sent', async () => {
  const calls: unknown[] = [];
  const { connect } = socketHarness({
    operations: {
      async greet({ args, fields }) {
        calls.push([args, fields]);
        return { message: 'hello' };
      },
    },
  });
  const { say, wire } = connect();
  wire.said();
  say({ op: 'greet', args: [1], loudly: true });
  await turn();
  assert.deepEqual(calls, [[[1], { loudly: true }]]);
  assert.deepEqual(wire.said(), [{ message: 'hello' }]);
});

test('a closing socket ends all its subscriptions, once', () => {
  const { closed, connect, orderbook } = socketHarness();
  const { say, socket, wire } = connect();
  say({ op: 'subscribe', args: ['orderbook'] });
  const [subscription] = orderbook.subscriptions;
  let ends = 0;
  socket.watchClose(() => ends++);
  socket.watchClose(() => ends++).stop();
  socket.close('revoked');
  socket.end();
  assert.equal(orderbook.subscriptions.size, 0);
  assert.equal(ends, 1);
  assert.deepEqual(closed, ['revoked']);
  wire.said();
  assert.equal(subscription.send(textFrame('x')), false);
  say({ op: 'ping' });
  assert.deepEqual(wire.said(), []);
});

test('a topic is asked for a snapshot when a slow socket has drained', () => {
  const { connect, orderbook } = socketHarness();
  const { say, socket, wire } = connect();
  say({ op: 'subscribe', args: ['orderbook:btc-usdt'] });
  wire.isSlow = true;
  const frame = textFrame('x'.repeat(600));
  assert.deepEqual(
    [1, 2, 3].map(() => orderbook.send(frame)),
    [[true], [true], [false]],
  );
  wire.drain();
  socket.onDrain();
  assert.deepEqual(orderbook.refreshed, [...orderbook.subscriptions]);
});

test('a refused message is not parsed, and a socket that continues is closed', () => {
  const { closed, connect, offenders } = socketHarness();
  const { hear, wire } = connect();
  wire.said();
  // Longer than a ping, and not JSON.
  const broken = '{'.repeat(100);
  for (let count = 0; count < 120; count += 1) hear(broken);
  const errors = (wire.said() as { error: string }[]).map(({ error }) => error);
  assert.deepEqual(errors, [
    ...Array(20).fill('Error: wrong input'),
    ...Array(100).fill(RATE_LIMITED.error),
  ]);
  hear(broken);
  assert.deepEqual(wire.closedWith, [1008, 'too many messages: send at most 20 in 3 seconds']);
  assert.equal(wire.isReading, false);
  assert.deepEqual([closed, offenders], [['tooMuch'], ['127.0.0.1']]);
});

test('protocol pings are limited like pings', () => {
  const { clock, connect } = socketHarness();
  const { socket, wire } = connect();
  wire.said();
  const answered = Array.from({ length: 61 }, () => socket.receiveControl(4));
  assert.deepEqual([answered.slice(0, 60).every(Boolean), answered[60]], [true, false]);
  assert.deepEqual(wire.said(), [RATE_LIMITED]);
  clock.advance(3_000);
  assert.equal(socket.receiveControl(4), true);
});

test('all sockets of an address share a budget, and so do those of a user', () => {
  const { connect, clock } = socketHarness();
  const sockets = Array.from({ length: 60 }, () => connect());
  // Each is within its own limit of 20 messages; the address has 1,000.
  for (const { hear } of sockets) for (let count = 0; count < 20; count += 1) hear('{}');
  const refused = sockets.flatMap(({ wire }) => wire.said() as { error?: string }[]);
  const spent = refused.filter(({ error }) => error === 'Rate limit exceeded: budget');
  assert.equal(spent.length, 200);
  const user = connect(callerOf(7));
  user.wire.said();
  user.hear('{}');
  assert.deepEqual(user.wire.said(), [{ error: 'unsupported message type' }]);
  clock.advance(1_000);
  const late = connect();
  late.wire.said();
  late.hear('{}');
  assert.deepEqual(late.wire.said(), [{ error: 'unsupported message type' }]);
});
