// The account stream across lost connections and damaged messages: every event once, in order, and
// none that failed verification.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { FakeStream, type ReceivedMessage, until } from '../testing/client/fake-stream.ts';
import type { StreamFault, UserEvents } from './account-subscriber.ts';
import { RialtoStream } from './index.ts';

let fake: FakeStream;
let stream: RialtoStream;
let checksum = 0;
const events: UserEvents[] = [];
const faults: StreamFault[] = [];

beforeEach(async () => {
  fake = await FakeStream.start();
  events.length = 0;
  faults.length = 0;
  stream = new RialtoStream({
    url: fake.url,
    key: 'k',
    secret: 's',
    timings: { backoff: { firstMs: 5, maxMs: 10 } },
    onFault: (_channel, fault) => faults.push(fault),
  });
  fake.onReceive = ({ op, resume_from }, send) => {
    if (op === 'auth') send({ message: 'User a authenticated' });
    if (op !== 'subscribe') return;
    if (typeof resume_from === 'string') sendPrivate('resumed', resume_from, resume_from, '[]');
    else sendPrivate('snapshot', '10.0', null, WALLET);
  };
});
afterEach(async () => {
  stream.close();
  await fake.stop();
});

const WALLET =
  '[{"topic":"wallet","action":"partial","user_id":7,"data":{"btc_balance":1.50},"time":1}]';
const order = (id: string) =>
  `[{"topic":"order","action":"insert","user_id":7,"symbol":"x","data":` +
  `[{"id":"${id}","size":0.10,"created_by":7,"meta":{"note":"é\\"data\\":"}}],"time":1}]`;

/** Sends a message as the exchange does: `data` last, with the running checksum. */
function sendPrivate(
  action: string,
  sequence: string,
  previous: string | null,
  data: string,
): void {
  checksum = crc32(data, action === 'event' ? checksum : 0);
  fake.send(
    `{"topic":"private","action":"${action}","user_id":7,"sequence":"${sequence}",` +
      `"previous":${JSON.stringify(previous)},"time":1,"checksum":${checksum},"data":${data}}`,
  );
}

function follow(resumeFrom?: string): void {
  stream.account({
    ...(resumeFrom !== undefined && { resumeFrom }),
    onMessage: (one) => events.push(one),
  });
}

function seen(): string[] {
  return events.map(({ action, sequence }) => `${action} ${sequence}`);
}

async function receives(count: number): Promise<void> {
  await until(() => events.length >= count, `${count} events, received ${seen()}`);
}

function subscriptions(): ReceivedMessage[] {
  return fake.received.filter(({ op }) => op === 'subscribe');
}

test('a snapshot and the events after it are delivered with all digits', async () => {
  follow();
  await receives(1);
  sendPrivate('event', '11.2', '10.0', order('a'));
  sendPrivate('event', '11.5', '11.2', order('b'));
  await receives(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'event 11.5']);
  const [{ messages }, { messages: orders }] = events;
  assert.deepEqual(messages[0].data, { btc_balance: '1.50' });
  const { data } = orders[0] as { data: object };
  assert.deepEqual(data, [{ id: 'a', size: '0.10', created_by: 7, meta: { note: 'é"data":' } }]);
  assert.deepEqual(faults, []);
});

test('after a reconnect the stream resumes after the last event received', async () => {
  follow();
  await receives(1);
  sendPrivate('event', '11.2', '10.0', order('a'));
  await receives(2);
  fake.drop();
  await receives(3);
  sendPrivate('event', '12.0', '11.2', order('b'));
  await receives(4);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'resumed 11.2', 'event 12.0']);
  assert.deepEqual(subscriptions(), [
    { op: 'subscribe', args: ['private'] },
    { op: 'subscribe', args: ['private'], resume_from: '11.2' },
  ]);
});

test('a stream resumes from the position of an earlier run', async () => {
  follow('9.3');
  await receives(1);
  sendPrivate('event', '9.10', '9.3', order('a'));
  await receives(2);
  assert.deepEqual(seen(), ['resumed 9.3', 'event 9.10']);
});

test('a repeated event is ignored', async () => {
  follow();
  await receives(1);
  sendPrivate('event', '11.2', '10.0', order('a'));
  sendPrivate('event', '11.2', '10.0', order('a'));
  sendPrivate('event', '12.0', '11.2', order('b'));
  await receives(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'event 12.0']);
  assert.deepEqual(faults, []);
});

test('a gap is detected, and the client resumes from the last verified position', async () => {
  follow();
  await receives(1);
  sendPrivate('event', '12.0', '11.2', order('b'));
  await receives(2);
  sendPrivate('event', '11.2', '10.0', order('a'));
  await receives(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'resumed 10.0', 'event 11.2']);
  assert.deepEqual(faults, ['gap']);
  assert.deepEqual(
    fake.received.slice(1).map(({ op, resume_from }) => [op, resume_from]),
    [
      ['subscribe', undefined],
      ['unsubscribe', undefined],
      ['subscribe', '10.0'],
    ],
  );
});

test('a damaged message is not delivered, nor are messages until the resumption', async () => {
  follow();
  await receives(1);
  checksum += 1;
  sendPrivate('event', '11.2', '10.0', order('a'));
  sendPrivate('event', '12.0', '11.2', order('b'));
  await receives(2);
  assert.deepEqual(seen(), ['snapshot 10.0', 'resumed 10.0']);
  assert.deepEqual(faults, ['checksum mismatch']);
});

test('the running checksum detects a lost message even if positions match', async () => {
  follow();
  await receives(1);
  checksum = crc32(order('lost'), checksum);
  sendPrivate('event', '11.2', '10.0', order('a'));
  await receives(2);
  assert.deepEqual(faults, ['checksum mismatch']);
});

test('after repeated failures to resume the client requests a snapshot', async () => {
  const { onReceive } = fake;
  fake.onReceive = (message, send) => {
    if (message.op !== 'subscribe' || message.resume_from === undefined) onReceive(message, send);
    else sendPrivate('resumed', '99.0', '99.0', '[]');
  };
  follow('9.3');
  await receives(1);
  assert.deepEqual(seen(), ['snapshot 10.0']);
  assert.deepEqual(
    subscriptions().map(({ resume_from }) => resume_from),
    ['9.3', '9.3', '9.3', undefined],
  );
});

test('an unrequested snapshot replaces the state', async () => {
  follow();
  await receives(1);
  sendPrivate('snapshot', '20.0', null, WALLET);
  sendPrivate('event', '21.0', '20.0', order('a'));
  await receives(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'snapshot 20.0', 'event 21.0']);
});
