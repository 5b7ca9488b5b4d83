// A user's own stream over lost connections and damaged messages: each piece once, in order, and
// never one that does not fit.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { FakeStream, type Heard, until } from '../testing/client/fake-stream.ts';
import { type PrivateNews, RialtoStream, type Trouble } from './index.ts';

let fake: FakeStream;
let stream: RialtoStream;
let checksum = 0;
const news: PrivateNews[] = [];
const troubles: Trouble[] = [];

beforeEach(async () => {
  fake = await FakeStream.start();
  news.length = 0;
  troubles.length = 0;
  stream = new RialtoStream({
    url: fake.url,
    key: 'k',
    secret: 's',
    timings: { backoff: { firstMs: 5, maxMs: 10 } },
    onTrouble: (_channel, trouble) => troubles.push(trouble),
  });
  fake.react = ({ op, resume_from }, say) => {
    if (op === 'auth') say({ message: 'User a authenticated' });
    if (op !== 'subscribe') return;
    if (typeof resume_from === 'string') tell('resumed', resume_from, resume_from, '[]');
    else tell('snapshot', '10.0', null, WALLET);
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
  `{"id":"${id}","size":0.10,"created_by":7,"meta":{"note":"é\\"data\\":"}},"time":1}]`;

/** As the exchange writes it: `data` last, and a checksum that runs over it. */
function tell(action: string, sequence: string, previous: string | null, data: string): void {
  checksum = crc32(data, action === 'event' ? checksum : 0);
  fake.say(
    `{"topic":"private","action":"${action}","user_id":7,"sequence":"${sequence}",` +
      `"previous":${JSON.stringify(previous)},"time":1,"checksum":${checksum},"data":${data}}`,
  );
}

function follow(resumeFrom?: string): void {
  stream.account({
    ...(resumeFrom !== undefined && { resumeFrom }),
    onMessage: (one) => news.push(one),
  });
}

function seen(): string[] {
  return news.map(({ action, sequence }) => `${action} ${sequence}`);
}

async function comes(count: number): Promise<void> {
  await until(() => news.length >= count, `${count} news, of which came ${seen()}`);
}

function subscriptions(): Heard[] {
  return fake.heard.filter(({ op }) => op === 'subscribe');
}

test('a snapshot and what follows it are handed on, with all digits', async () => {
  follow();
  await comes(1);
  tell('event', '11.2', '10.0', order('a'));
  tell('event', '11.5', '11.2', order('b'));
  await comes(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'event 11.5']);
  const [{ messages }, { messages: orders }] = news;
  assert.deepEqual(messages[0].data, { btc_balance: '1.50' });
  const { data } = orders[0] as unknown as { data: object };
  assert.deepEqual(data, { id: 'a', size: '0.10', created_by: 7, meta: { note: 'é"data":' } });
  assert.deepEqual(troubles, []);
});

test('after a lost connection it is resumed behind the last that came', async () => {
  follow();
  await comes(1);
  tell('event', '11.2', '10.0', order('a'));
  await comes(2);
  fake.drop();
  await comes(3);
  tell('event', '12.0', '11.2', order('b'));
  await comes(4);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'resumed 11.2', 'event 12.0']);
  assert.deepEqual(subscriptions(), [
    { op: 'subscribe', args: ['private'] },
    { op: 'subscribe', args: ['private'], resume_from: '11.2' },
  ]);
});

test('an earlier life is resumed', async () => {
  follow('9.3');
  await comes(1);
  tell('event', '9.10', '9.3', order('a'));
  await comes(2);
  assert.deepEqual(seen(), ['resumed 9.3', 'event 9.10']);
});

test('a repeat is left out', async () => {
  follow();
  await comes(1);
  tell('event', '11.2', '10.0', order('a'));
  tell('event', '11.2', '10.0', order('a'));
  tell('event', '12.0', '11.2', order('b'));
  await comes(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'event 11.2', 'event 12.0']);
  assert.deepEqual(troubles, []);
});

test('a gap is found, and asked for from the last good place', async () => {
  follow();
  await comes(1);
  tell('event', '12.0', '11.2', order('b'));
  await comes(2);
  tell('event', '11.2', '10.0', order('a'));
  await comes(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'resumed 10.0', 'event 11.2']);
  assert.deepEqual(troubles, ['gap']);
  assert.deepEqual(
    fake.heard.slice(1).map(({ op, resume_from }) => [op, resume_from]),
    [
      ['subscribe', undefined],
      ['unsubscribe', undefined],
      ['subscribe', '10.0'],
    ],
  );
});

test('a damaged message is not handed on, and neither is what came before the repair', async () => {
  follow();
  await comes(1);
  checksum += 1;
  tell('event', '11.2', '10.0', order('a'));
  tell('event', '12.0', '11.2', order('b'));
  await comes(2);
  assert.deepEqual(seen(), ['snapshot 10.0', 'resumed 10.0']);
  assert.deepEqual(troubles, ['checksum wrong']);
});

test('a lost message shows in the checksum of the next, even if its place fits', async () => {
  follow();
  await comes(1);
  checksum = crc32(order('lost'), checksum);
  tell('event', '11.2', '10.0', order('a'));
  await comes(2);
  assert.deepEqual(troubles, ['checksum wrong']);
});

test('when resuming does not help, a snapshot is taken', async () => {
  const { react } = fake;
  fake.react = (heard, say) => {
    if (heard.op !== 'subscribe' || heard.resume_from === undefined) react(heard, say);
    else tell('resumed', '99.0', '99.0', '[]');
  };
  follow('9.3');
  await comes(1);
  assert.deepEqual(seen(), ['snapshot 10.0']);
  assert.deepEqual(
    subscriptions().map(({ resume_from }) => resume_from),
    ['9.3', '9.3', '9.3', undefined],
  );
});

test('a snapshot in between replaces what was there', async () => {
  follow();
  await comes(1);
  tell('snapshot', '20.0', null, WALLET);
  tell('event', '21.0', '20.0', order('a'));
  await comes(3);
  assert.deepEqual(seen(), ['snapshot 10.0', 'snapshot 20.0', 'event 21.0']);
});
