// Costly connections: many from one address, pipelined requests, unread responses, endless headers,
// and bodies of requests rejected by their headers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { PUBLIC_KEY, signed } from '../../features/auth/credentials/access-for-test.ts';
import { JsonText, StreamedAnswer } from '../../platform/http/index.ts';
import { openServer, talk } from './server-for-test.ts';

const BOOK = 'GET /v2/orderbook?symbol=a HTTP/1.1\r\nhost: x\r\n\r\n';
const direct = { trustedProxies: [], corsOrigins: ['*'] };

async function dial(t: TestContext, port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Resolves with the statuses of the responses as soon as this many have arrived. */
async function statusesOf(socket: Socket, count: number): Promise<number[]> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    const found = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    if (found.length >= count) return found;
  }
  return [];
}

const handlers = { getOrderBook: () => new JsonText('{}') };

test('abuse 74: connections per address are limited, and other addresses are served', async (t) => {
  const limits = { connectionsPerAddressMax: 3 };
  const { port, refused } = await openServer(t, { handlers, ...direct, ...limits });
  const own = [];
  for (const _ of [1, 2, 3]) own.push(await dial(t, port));
  const fourth = await dial(t, port);
  await once(fourth, 'close');
  assert.equal(refused.length, 1);
  const other = await dial(t, port, '127.0.0.2');
  other.write(BOOK);
  assert.deepEqual(await statusesOf(other, 1), [200]);
  own[0].destroy();
  // The server notices the closed connection a little later.
  for (let statuses: number[] = []; statuses[0] !== 200; ) {
    const again = await dial(t, port);
    again.write(BOOK);
    statuses = await statusesOf(again, 1).catch(() => []);
  }
});

// Browsers connect before they have a request. Node counts such a connection as busy.
test('a closing server does not wait for idle connections', {
  timeout: 60_000,
}, async (t) => {
  const { close, port } = await openServer(t, { handlers });
  const silent = await dial(t, port);
  const served = await dial(t, port);
  served.write(BOOK);
  assert.deepEqual(await statusesOf(served, 1), [200]);
  await Promise.all([once(silent, 'close'), close()]);
});

test('abuse 74: connections from a trusted proxy are not limited', async (t) => {
  const { port } = await openServer(t, { handlers, connectionsPerAddressMax: 1 });
  for (const _ of [1, 2, 3]) {
    const socket = await dial(t, port);
    socket.write(BOOK);
    assert.deepEqual(await statusesOf(socket, 1), [200]);
  }
});

test('abuse 74: pipelined requests from an address are limited too', async (t) => {
  const held = Promise.withResolvers<JsonText>();
  const { port } = await openServer(t, {
    handlers: { getOrderBook: () => held.promise },
    ...direct,
    requestsPerAddressMax: 2,
  });
  const first = await dial(t, port);
  first.write(BOOK + BOOK);
  const second = await dial(t, port);
  second.write(BOOK);
  assert.deepEqual(await statusesOf(second, 1), [429]);
  const other = await dial(t, port, '127.0.0.2');
  other.write(BOOK);
  const others = statusesOf(other, 1);
  held.resolve(new JsonText('{}'));
  assert.deepEqual([await statusesOf(first, 2), await others], [[200, 200], [200]]);
  const third = await dial(t, port);
  third.write(BOOK);
  assert.deepEqual(await statusesOf(third, 1), [200], 'completed requests do not count');
});

test('abuse 75: a client that does not read its file is disconnected', async (t) => {
  const ended = Promise.withResolvers<string>();
  const slow = Promise.withResolvers<string>();
  const chunks = (async function* () {
    try {
      for (;;) yield 'x'.repeat(65_536);
    } finally {
      ended.resolve('reader ended');
    }
  })();
  const { clock, faults, port } = await openServer(t, {
    handlers: {
      getOrderBook: () =>
        new StreamedAnswer({
          status: 202,
          type: 'text/csv',
          chunks,
          onSlow: () => slow.resolve('slow'),
        }),
    },
    ...direct,
  });
  const socket = await dial(t, port);
  socket.write(BOOK);
  socket.pause();
  const closed = once(socket, 'close');
  // The buffers between client and server fill up first.
  const ticks = setInterval(() => clock.advance(1_000), 50);
  t.after(() => clearInterval(ticks));
  assert.deepEqual(await Promise.all([slow.promise, ended.promise]), ['slow', 'reader ended']);
  socket.resume();
  await closed;
  assert.deepEqual(faults, [], "a client's fault is not reported as a gateway fault");
});

const unreadable: [title: string, sent: string, status: number, code: number][] = [
  ['no HTTP', 'hello\r\n\r\n', 400, 2026],
  ['headers without an end', `${BOOK.slice(0, -2)}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 2028],
];
for (const [title, sent, status, code] of unreadable) {
  test(`a request that cannot be parsed gets a refusal in the usual form: ${title}`, async (t) => {
    const { port } = await openServer(t, { handlers, ...direct });
    const socket = await dial(t, port);
    socket.write(sent);
    let text = '';
    for await (const chunk of socket) text += chunk;
    const [head, body] = text.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(head, /\r\ncontent-type: application\/json; charset=utf-8\r\n/);
    assert.equal(JSON.parse(body).code, code);
  });
}

test('abuse 77: a client that disconnects during its headers gets no response', async (t) => {
  const { port } = await openServer(t, { handlers, ...direct });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.end(BOOK.slice(0, -2));
  let text = '';
  for await (const chunk of socket) text += chunk;
  assert.equal(text, '');
});

test('HEAD gets the same response as GET, without a body', async (t) => {
  const { port } = await openServer(t, { handlers, ...direct });
  const socket = await dial(t, port);
  socket.write(BOOK.replace('GET', 'HEAD') + BOOK.replace('host', 'connection: close\r\nhost'));
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [head, get, body] = text.split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 200 /);
  assert.match(head, /content-length: 2/);
  assert.match(get, /^HTTP\/1\.1 200 /);
  assert.equal(body, '{}');
});

test('HEAD changes nothing: it is not served for a GET that does', async (t) => {
  const { port } = await openServer(t, {
    handlers: { logout: () => new JsonText('{}') },
    ...direct,
  });
  const socket = await dial(t, port);
  socket.write('HEAD /v2/logout HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.deepEqual(await statusesOf(socket, 1), [405]);
});

const UNKNOWN_KEY = 'ff112233445566778899aabbccddeeff00112233';
const ATTACKER = '203.0.113.9';
const WRONG = 'ab'.repeat(32);
const WITH_BODIES = {
  createOrder: () => new JsonText('{}'),
  logIn: () => new JsonText('{}'),
  getUser: () => new JsonText('{}'),
};

interface Sent {
  readonly address?: string;
  readonly key?: string;
  readonly signature?: string | undefined;
  readonly path?: string;
  /** Announced body length; only `body` is sent. */
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
  const { clock, port } = await openServer(t, { handlers: WITH_BODIES });
  const send = async (sent: Sent) => {
    const received = talk(port, [headOf(sent)]);
    // An unknown key is read from the tables in the next turn.
    const turns = setInterval(() => clock.advance(0), 5);
    t.after(() => clearInterval(turns));
    const text = await received;
    clearInterval(turns);
    return [Number(text.slice(9, 12)), Number(/"code":(\d+)/.exec(text)?.[1])];
  };
  return { clock, send };
}

test('abuse 70: an unknown key is refused without its body, and then its address is', async (t) => {
  const { send } = await open(t);
  const unknown = { key: UNKNOWN_KEY, bytes: 16_000 };
  for (const _ of [1, 2, 3]) assert.deepEqual(await send(unknown), [401, 95]);
  assert.deepEqual(await send(unknown), [429, 2023]);
  assert.deepEqual(await send({ bytes: 16_000 }), [429, 2023], 'even without a key');
  assert.deepEqual(await send({ ...unknown, address: '203.0.113.10' }), [401, 95]);
});

test('abuse 70: a wrong signature counts against its key at this address', async (t) => {
  const { clock, send } = await open(t);
  const body = '{"a":1}';
  const wrong = { key: PUBLIC_KEY, body };
  for (const _ of [1, 2, 3]) assert.deepEqual(await send(wrong), [401, 100]);
  assert.deepEqual(await send(wrong), [429, 2023]);
  assert.deepEqual(await send({ key: PUBLIC_KEY, bytes: 16_000 }), [429, 2023], 'without its body');
  const { signature } = signed({ method: 'POST', target: '/v2/order', body }).headers;
  const right = { key: PUBLIC_KEY, signature, body };
  assert.deepEqual(
    (await send({ ...right, address: '203.0.113.10' }))[0],
    400,
    'its owner can trade',
  );
  clock.advance(2_000);
  assert.deepEqual(await send(wrong), [401, 100], 'the budget refills');
});

test("abuse 70: an owner behind an attacker's address can keep trading", async (t) => {
  const { send } = await open(t);
  for (const _ of [1, 2, 3, 4]) await send({ key: UNKNOWN_KEY, body: '{}' });
  assert.deepEqual(await send({ key: UNKNOWN_KEY, body: '{}' }), [429, 2023]);
  const body = '{"a":1}';
  const { signature } = signed({ method: 'POST', target: '/v2/order', body }).headers;
  assert.equal((await send({ key: PUBLIC_KEY, signature, body }))[0], 400);
});

test('an anonymous request over its budget is refused without its body', async (t) => {
  const { send } = await open(t);
  const login = { path: '/v2/login', address: ATTACKER, body: '{}' };
  for (const _ of [1, 2, 3, 4]) assert.equal((await send(login))[0], 400);
  assert.deepEqual(await send({ ...login, body: '', bytes: 16_000 }), [429, 2023]);
});

test("the route's body limit applies, no matter what else is wrong", async (t) => {
  const { send } = await open(t);
  const { signature } = signed({ method: 'POST', target: '/v2/order', body: '{}' }).headers;
  const long = { key: PUBLIC_KEY, signature, bytes: 16_385 };
  assert.deepEqual(await send(long), [413, 2022]);
});
