// Private topics from a socket's view: the bytes each receives, and how long a user's stream is
// open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '../../../features/auth/index.ts';
import { encodeUserEvents } from '../../../infra/live-feed/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import type { Frame } from '../frame.ts';
import type { ChannelSubscription } from '../topic.ts';
import { PrivateTopics } from './private-topics.ts';
import { makeSnapshot } from './snapshot.ts';
import { readUserEntries, type UserEntries } from './user-entries.ts';
import { USER_STREAM_DEFAULTS } from './user-stream.ts';

const ORDER = '{"topic":"order","action":"insert","data":[{"size":0.10}]}';
const FILL = '{"topic":"usertrade","action":"insert","data":[]}';
const WALLET =
  '{"topic":"wallet","action":"partial","data":{' +
  '"btc_balance":9007199254740993,"btc_available":0,"updated_at":"…"}}';

const SNAPSHOT = makeSnapshot(
  {
    openOrders: Array.from({ length: 51 }, (_, index) => `{"id":${index}}`),
    lastOrders: ['{"id":52}', '{"id":50}'],
    fills: ['{"price":1.0}'],
    balance:
      '{"btc_balance":2,"btc_available":1,"eth_balance":3,"eth_available":3,"updated_at":""}',
  },
  { user: 7, position: { frame: 3, index: 1 }, timeMs: 1_700_000_000_000 },
);

function harness() {
  const clock = new FakeClock();
  const receivers = new Map<number, (events: UserEntries) => void>();
  const topics = new PrivateTopics({
    clock,
    settings: USER_STREAM_DEFAULTS,
    graceMs: 5_000,
    watcher: { began() {}, resumed() {}, notResumable() {}, gap() {} },
    sourceOf: (user) => ({
      subscribe(receive) {
        assert.equal(receivers.has(user), false, 'one for each user');
        receivers.set(user, receive);
        return { stop: () => receivers.delete(user) };
      },
      readSnapshot: async () => SNAPSHOT,
      readHistory: async () => ({ events: [], reachesBack: true }),
      readProjected: async () => ({ frame: 3, lastFrame: 3 }),
    }),
  });
  const say = (frame: number, ...messages: string[]) => {
    const events = readUserEntries(
      Buffer.from(
        encodeUserEvents({
          user: 7,
          frame,
          after: { frame: 3, index: 0 },
          messages: messages.map((text) => ({ index: 2, topic: JSON.parse(text).topic, text })),
        }),
      ),
    );
    assert.ok(events !== undefined);
    receivers.get(7)?.(events);
  };
  return { clock, receivers, topics, say };
}

function socket(user = 7, fields: ChannelSubscription['fields'] = {}) {
  const sent: string[] = [];
  const frames: Frame[] = [];
  const subscription = {
    subscriber: {
      id: 1,
      caller: { user } as Caller,
      isOpen: true,
      watchClose: () => ({ stop() {} }),
    },
    channel: '',
    symbol: undefined,
    fields,
    send: () => assert.fail('private events are never dropped'),
    sendOrClose(frame: Frame) {
      const { bytes } = frame;
      frames.push(frame);
      sent.push(bytes.subarray(bytes[1] < 126 ? 2 : bytes[1] === 126 ? 4 : 10).toString());
    },
  } satisfies ChannelSubscription;
  return { subscription, sent, frames };
}

test('each topic has its own messages, and all sockets get the same bytes', async () => {
  const { say, topics } = harness();
  const [orders, orders2, wallet] = [socket(), socket(), socket()];
  topics.topics.order.subscribe(orders.subscription);
  topics.topics.order.subscribe(orders2.subscription);
  topics.topics.wallet.subscribe(wallet.subscription);
  await turn();
  say(4, ORDER, FILL, WALLET);
  assert.equal(orders.sent[0], SNAPSHOT.messages.order.text);
  assert.deepEqual(orders.sent.slice(1), [ORDER]);
  const eth = ',"eth_balance":3,"eth_available":3,"updated_at"';
  const complete = WALLET.replace(',"updated_at"', eth);
  assert.deepEqual(wallet.sent, [SNAPSHOT.messages.wallet.text, complete]);
  assert.deepEqual(orders2.sent, orders.sent);
  assert.equal(orders2.frames[1], orders.frames[1]);
});

test('a socket with several topics gets their messages in event order', async () => {
  const { say, topics } = harness();
  const { subscription, sent } = socket();
  for (const name of ['wallet', 'order', 'usertrade'] as const) {
    topics.topics[name].subscribe({ ...subscription });
  }
  await turn();
  say(4, FILL, ORDER, WALLET);
  const heard = sent.slice(3).map((text) => JSON.parse(text).topic);
  assert.deepEqual(heard, ['usertrade', 'order', 'wallet']);
});

test('the first message has the format that clients expect', () => {
  const { order, usertrade, wallet } = SNAPSHOT.messages;
  const { data, ...rest } = JSON.parse(order.text);
  const head = { action: 'partial', user_id: 7, time: 1_700_000_000 };
  assert.deepEqual(rest, { ...head, topic: 'order' });
  assert.deepEqual(data, [{ id: 52 }, { id: 50 }], 'the last orders of any status');
  assert.deepEqual(JSON.parse(usertrade.text), {
    ...head,
    topic: 'usertrade',
    data: [{ price: 1 }],
  });
  const { data: balance, ...ofWallet } = JSON.parse(wallet.text);
  assert.deepEqual(ofWallet, { ...head, topic: 'wallet' });
  assert.equal(balance.btc_balance, 2);
  const all = JSON.parse(SNAPSHOT.data);
  assert.equal(all[0].data.length, 51, 'a snapshot has all open orders');
  assert.deepEqual([all[1], all[2]], [JSON.parse(usertrade.text), JSON.parse(wallet.text)]);
});

test('the resumable topic starts with a snapshot or after the requested position', async () => {
  const { say, topics } = harness();
  const [one, two, three] = [
    socket(),
    socket(7, { resume_from: '3.0' }),
    socket(7, { resume_from: 'nonsense' }),
  ];
  for (const { subscription } of [one, two, three]) topics.topics.private.subscribe(subscription);
  await turn();
  say(4, ORDER, WALLET);
  const heads = (sent: readonly string[]) =>
    sent.map((text) => {
      const { action, previous, sequence } = JSON.parse(text);
      return [action, previous, sequence];
    });
  assert.deepEqual(heads(one.sent), [
    ['snapshot', null, '3.1'],
    ['event', '3.1', '4.2'],
  ]);
  assert.deepEqual(heads(two.sent), [
    ['resumed', '3.0', '3.0'],
    ['event', '3.0', '4.2'],
  ]);
  assert.deepEqual(heads(three.sent), heads(one.sent));
  assert.ok(one.sent[1].endsWith(`"data":[${ORDER},${WALLET}]}`));
});

test('a symbol is ignored, and channels are named after the user', () => {
  const { topics } = harness();
  const caller = { user: 7 } as Caller;
  const channel = [{ name: 'order:7', symbol: undefined }];
  assert.deepEqual(topics.topics.order.channels('btc-usdt', caller), channel);
  assert.deepEqual(topics.topics.order.channels(undefined, caller), channel);
});

test('a user has one stream, which closes some seconds after the last subscriber', async () => {
  const { clock, receivers, say, topics } = harness();
  const [one, two] = [socket(), socket()];
  topics.topics.order.subscribe(one.subscription);
  topics.topics.wallet.subscribe(two.subscription);
  topics.topics.order.subscribe(socket(8).subscription);
  await turn();
  topics.topics.order.unsubscribe(one.subscription);
  topics.topics.wallet.unsubscribe(two.subscription);
  say(4, ORDER, WALLET);
  assert.deepEqual([one.sent.length, two.sent.length], [1, 1], 'nothing after it left');
  await clock.pass(4_000);
  topics.topics.wallet.subscribe(two.subscription);
  await clock.pass(10_000);
  assert.deepEqual([...receivers.keys()], [7, 8]);
  topics.topics.wallet.unsubscribe(two.subscription);
  await clock.pass(5_000);
  assert.deepEqual([...receivers.keys()], [8]);
  topics.stop();
  assert.deepEqual([receivers.size, topics.userCount], [0, 0]);
});

test('a refresh sends a new snapshot', async () => {
  const { topics } = harness();
  const { subscription, sent } = socket();
  topics.topics.order.subscribe(subscription);
  await turn();
  topics.topics.order.refresh(subscription);
  await turn();
  assert.deepEqual(sent, [SNAPSHOT.messages.order.text, SNAPSHOT.messages.order.text]);
});
