// Requests that are refused before their body is read: a body that never arrives proves it. Wrong
// credentials cost their address, and no neighbour behind it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PUBLIC_KEY, signed } from '../../features/auth/credentials/access-for-test.ts';
import { JsonText } from '../../platform/http/index.ts';
import { openServer, talk } from './server-for-test.ts';

const UNKNOWN_KEY = 'ff112233445566778899aabbccddeeff00112233';
const ATTACKER = '203.0.113.9';
const WRONG = 'ab'.repeat(32);
const handlers = {
  createOrder: () => new JsonText('{}'),
  logIn: () => new JsonText('{}'),
  getUser: () => new JsonText('{}'),
};

interface Sent {
  readonly address?: string;
  readonly key?: string;
  readonly signature?: string | undefined;
  readonly path?: string;
  /** The body that is announced; only `body` is sent. */
  readonly bytes?: number;
  readonly body?: string;
}

function headOf(sent: Sent): string {
  const { address = ATTACKER, body = '', key, path = '/v2/order', signature = WRONG } = sent;
  const { expires } = signed().headers;
  const credentials =
    key === undefined
      ? ''
      : `api-key: ${key}\r\napi-signature: ${signature}\r\napi-expires: ${expires}\r\n`;
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'connection: close',
    `x-forwarded-for: ${address}`,
    'content-type: application/json',
    `content-length: ${sent.bytes ?? body.length}`,
  ];
  return `${lines.join('\r\n')}\r\n${credentials}\r\n${body}`;
}

async function open(t: TestContext) {
  const { clock, port } = await openServer(t, { handlers });
  const send = async (sent: Sent) => {
    const received = talk(port, [headOf(sent)]);
    // An unknown key is read from the tables, in the next turn.
    const turns = setInterval(() => clock.advance(0), 5);
    t.after(() => clearInterval(turns));
    const text = await received;
    clearInterval(turns);
    return [Number(text.slice(9, 12)), Number(/"code":(\d+)/.exec(text)?.[1])];
  };
  return { clock, send };
}

test('abuse 70: an unknown key is refused without its body, and then its address', async (t) => {
  const { send } = await open(t);
  const unknown = { key: UNKNOWN_KEY, bytes: 16_000 };
  for (const _ of [1, 2, 3]) assert.deepEqual(await send(unknown), [401, 95]);
  assert.deepEqual(await send(unknown), [429, 2023]);
  assert.deepEqual(await send({ bytes: 16_000 }), [429, 2023], 'also without a key');
  assert.deepEqual(await send({ ...unknown, address: '203.0.113.10' }), [401, 95]);
});

test('abuse 70: a wrong signature of a known key costs this key at this address', async (t) => {
  const { clock, send } = await open(t);
  const body = '{"a":1}';
  const wrong = { key: PUBLIC_KEY, body };
  for (const _ of [1, 2, 3]) assert.deepEqual(await send(wrong), [401, 100]);
  assert.deepEqual(await send(wrong), [429, 2023]);
  assert.deepEqual(await send({ key: PUBLIC_KEY, bytes: 16_000 }), [429, 2023], 'without its body');
  const { signature } = signed({ method: 'POST', target: '/v2/order', body }).headers;
  const right = { key: PUBLIC_KEY, signature, body };
  assert.deepEqual((await send({ ...right, address: '203.0.113.10' }))[0], 400, 'its owner trades');
  clock.advance(2_000);
  assert.deepEqual(await send(wrong), [401, 100], 'the budget refills');
});

test('abuse 70: an owner behind the address of an attacker keeps trading', async (t) => {
  const { send } = await open(t);
  for (const _ of [1, 2, 3, 4]) await send({ key: UNKNOWN_KEY, body: '{}' });
  assert.deepEqual(await send({ key: UNKNOWN_KEY, body: '{}' }), [429, 2023]);
  const body = '{"a":1}';
  const { signature } = signed({ method: 'POST', target: '/v2/order', body }).headers;
  assert.equal((await send({ key: PUBLIC_KEY, signature, body }))[0], 400);
});

test('an anonymous call over its budget is refused without its body', async (t) => {
  const { send } = await open(t);
  const login = { path: '/v2/login', address: ATTACKER, body: '{}' };
  for (const _ of [1, 2, 3, 4]) assert.equal((await send(login))[0], 400);
  assert.deepEqual(await send({ ...login, body: '', bytes: 16_000 }), [429, 2023]);
});

test('a body has the limit of its route, whatever else is wrong', async (t) => {
  const { send } = await open(t);
  const { signature } = signed({ method: 'POST', target: '/v2/order', body: '{}' }).headers;
  const long = { key: PUBLIC_KEY, signature, bytes: 16_385 };
  assert.deepEqual(await send(long), [413, 2022]);
});
