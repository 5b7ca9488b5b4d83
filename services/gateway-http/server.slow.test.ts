// The HTTP server over stub handlers: statuses, headers, bodies in every form that HTTP allows, and
// connections that end early.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { signed } from '../../features/auth/credentials/access-for-test.ts';
import { type Handler, JsonText, StreamedAnswer } from '../../platform/http/index.ts';
import { BODY_BYTES_MAX, type Route, type RouteName } from '../../protocol/index.ts';
import { isListening, openServer, talk } from './server-for-test.ts';

const bug = new Error('a bug');

async function* lines() {
  yield 'id,größe\r\n';
  yield '1,2\r\n';
}

// biome-ignore lint/correctness/useYield: it fails before the first line.
async function* noLine(): AsyncGenerator<string> {
  throw bug;
}

/** A response that a test releases. */
let held = Promise.withResolvers<JsonText>();

const handlers: Partial<Record<RouteName, Handler<Route>>> = {
  getOrderBook: () => new JsonText('{"btc-usdt":{"bids":[],"asks":[]}}'),
  getTicker: () => Promise.resolve(new JsonText('{"name":"größer als £ 1 und 円"}')),
  getTickers: () => {
    throw bug;
  },
  getTrades: () => held.promise,
  createOrder: ({ body, caller }) =>
    Promise.resolve(new JsonText(JSON.stringify({ body, by: caller.user }))),
  cancelOrder: () => new JsonText('{}'),
  getOrders: () => new StreamedAnswer({ ...csv, chunks: lines() }),
  getUserTrades: () => new StreamedAnswer({ ...csv, chunks: noLine() }),
};
const csv = { status: 202, type: 'text/csv', fileName: 'orders.csv' };

function open(t: TestContext, corsOrigins: string[]) {
  return openServer(t, { handlers, corsOrigins });
}

interface OutboxRef {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isSigned?: boolean;
}

function piecesOf(prefix: string, asked: OutboxRef): string[] {
  const { body, headers = {}, isSigned = false, method = 'GET', target } = asked;
  const { headers: by } = signed({ method, target, ...(body !== undefined && { body }) });
  const all = {
    host: 'localhost',
    connection: 'close',
    'x-forwarded-for': '203.0.113.9',
    ...(isSigned && { 'api-key': by.key, 'api-signature': by.signature }),
    ...(isSigned && { 'api-expires': by.expires }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const whole = `${method} ${prefix}${target} HTTP/1.1\r\n${head.join('')}\r\n`;
  // In two pieces, so the body arrives in parts.
  return body === undefined ? [whole] : [whole + body.slice(0, 9), body.slice(9)];
}

const order = { symbol: 'btc-usdt', side: 'buy', size: 1, type: 'limit', price: 2.5 };
const asOrder = (more: object) => JSON.stringify({ ...order, ...more });
const origin = { origin: 'https://a.example' };
const post = { method: 'POST', target: '/v2/order', isSigned: true };
const remove = { method: 'DELETE', target: '/v2/order?order_id=1', isSigned: true };

const cases: [title: string, status: number, asked: OutboxRef][] = [
  ['a book', 200, { target: '/v2/orderbook?symbol=btc-usdt' }],
  ['a book for a browser', 200, { target: '/v2/orderbook?symbol=btc-usdt', headers: origin }],
  ['an escaped query', 200, { target: '/v2/orderbook?symbol=btc%2Dusdt&x=%zz&__proto__=1' }],
  ['a missing parameter', 400, { target: '/v2/orderbook?' }],
  ['a repeated parameter', 400, { target: '/v2/orderbook?symbol=a&symbol=b' }],
  ['a non-ASCII response', 200, { target: '/v2/ticker?symbol=a' }],
  ['a fault', 500, { target: '/v2/tickers' }],
  [
    "a client's own ID",
    200,
    { target: '/v2/ticker?symbol=a', headers: { 'x-request-id': 'me-1' } },
  ],
  ['a signed order', 200, { ...post, body: asOrder({ meta: { note: 'é-円' } }) }],
  ['an unsigned order', 401, { ...post, isSigned: false, body: asOrder({}) }],
  ['an invalid order', 400, { ...post, body: asOrder({ side: 'up' }) }],
  ['an order that cannot be parsed', 400, { ...post, body: '{"symbol": "btc-usdt"' }],
  ['a cancellation', 200, remove],
  ['a file', 202, { target: '/v2/orders?format=csv', isSigned: true }],
  ['a file that cannot begin', 500, { target: '/v2/user/trades', isSigned: true }],
];

for (const prefix of ['', '/api']) {
  test(`every case gets the expected response below '${prefix}/v2'`, async (t) => {
    const { faults, port, served } = await open(t, ['*']);
    for (const [title, status, asked] of cases) {
      const received = await talk(port, piecesOf(prefix, asked));
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} `), title);
      assert.match(received, /\r\nx-content-type-options: nosniff\r\n/, title);
    }
    const facts = served.map(({ address, method, path, status }) => [
      method,
      path,
      status,
      address,
    ]);
    assert.deepEqual(
      facts,
      cases.map(([, status, { method = 'GET', target }]) => [
        method,
        target.split('?')[0],
        status,
        '203.0.113.9',
      ]),
    );
    assert.deepEqual(faults, [bug, bug]);
  });
}

const origins: [allowed: string, header: RegExp | undefined][] = [
  ['*', /\r\naccess-control-allow-origin: \*\r\n/],
  ['https://a.example', /\r\naccess-control-allow-origin: https:\/\/a\.example\r\n/],
  ['https://b.example', undefined],
];

for (const [allowed, header] of origins) {
  test(`a.example ${header ? 'can' : 'cannot'} read responses for ${allowed}`, async (t) => {
    const { port } = await open(t, [allowed]);
    const asked = { target: '/v2/orderbook?symbol=btc-usdt', headers: origin };
    const received = await talk(port, piecesOf('', asked));
    if (header === undefined) assert.doesNotMatch(received, /access-control/);
    else assert.match(received, header);
    assert.equal(/\r\nvary: origin\r\n/.test(received), allowed !== '*');
  });
}

test('a response has these headers and this body', async (t) => {
  const { port } = await open(t, ['*']);
  const received = await talk(
    port,
    piecesOf('', { target: '/v2/ticker?symbol=a', headers: origin }),
  );
  const [head, body] = received.split('\r\n\r\n');
  assert.equal(body, '{"name":"größer als £ 1 und 円"}');
  assert.deepEqual(
    head
      .split('\r\n')
      .filter((line) => !/^Date: /.test(line))
      .sort(),
    [
      'Connection: close',
      'HTTP/1.1 200 OK',
      'access-control-allow-origin: *',
      'access-control-expose-headers: ratelimit-limit, ratelimit-remaining, ratelimit-reset, ' +
        'retry-after, x-request-id',
      'cache-control: no-store',
      'content-length: 36',
      'content-type: application/json; charset=utf-8',
      'ratelimit-limit: 40',
      'ratelimit-remaining: 39',
      'ratelimit-reset: 1',
      'strict-transport-security: max-age=31536000; includeSubDomains',
      'x-content-type-options: nosniff',
      'x-request-id: r1',
    ],
  );
});

test('a caller over the rate limit gets the retry time', async (t) => {
  const { port } = await open(t, ['*']);
  let received = '';
  for (let times = 0; times < 50 && !received.includes(' 429 '); times += 1) {
    received = await talk(port, piecesOf('', { target: '/v2/ticker?symbol=a' }));
  }
  assert.match(received, /^HTTP\/1.1 429 /);
  assert.match(received, /\r\nretry-after: 1\r\n/);
  assert.match(received, /\r\nratelimit-remaining: 0\r\n/);
});

const chunked = {
  'transfer-encoding': 'chunked',
  'content-type': 'application/json',
  connection: 'close',
};
const unusual: [title: string, status: number, asked: OutboxRef][] = [
  ['an unknown path', 404, { target: '/v2/nothing' }],
  ['a path with a trailing slash', 404, { target: '/v2/orderbook/?symbol=a' }],
  ['an escaped path', 200, { target: '/v2/orderboo%6b?symbol=a' }],
  ['another method', 405, { method: 'PUT', target: '/v2/orderbook' }],
  ['a preflight', 204, { method: 'OPTIONS', target: '/v2/order' }],
  ['a read with a body', 200, { target: '/v2/orderbook?symbol=a', body: '{"symbol":"b"}' }],
  ['a write without a body', 400, { ...post, headers: { 'content-length': '0' } }],
  [
    'a body of another type',
    200,
    { ...post, body: asOrder({}), headers: { 'content-type': 'a/b' } },
  ],
  ['a body without a type', 400, { ...post, body: asOrder({}), headers: { 'content-type': ';' } }],
  ['a body that is too long', 413, { ...post, body: asOrder({ x: 'x'.repeat(BODY_BYTES_MAX) }) }],
];

for (const [title, status, asked] of unusual) {
  test(`${title} gets ${status}`, async (t) => {
    const { port } = await open(t, ['*']);
    const received = await talk(port, piecesOf('', asked));
    assert.match(received, new RegExp(`^HTTP/1.1 ${status} `));
  });
}

test('a chunked body is read', async (t) => {
  const { port } = await open(t, ['*']);
  const [head] = piecesOf('', { ...post, isSigned: false, headers: chunked });
  const received = await talk(port, [head, '2\r\n{}\r\n0\r\n\r\n']);
  assert.match(received, /^HTTP\/1.1 401 /);
});

test('a client that disconnects in the middle of a body leaves nothing behind', async (t) => {
  const { faults, port, served } = await open(t, ['*']);
  const [head] = piecesOf('', { ...post, body: asOrder({}) });
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(head, resolve));
  socket.destroy();
  await once(socket, 'close');
  const received = await talk(port, piecesOf('', { target: '/v2/orderbook?symbol=a' }));
  assert.match(received, /^HTTP\/1.1 200 /);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    served.map(({ path }) => path),
    ['/v2/orderbook'],
  );
});

test('a client that disconnects before its response is not a fault', async (t) => {
  const { faults, port } = await open(t, ['*']);
  const [head] = piecesOf('', { target: '/v2/orderbook?symbol=a' });
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(head, resolve));
  // After this, the socket has no remote address.
  socket.resetAndDestroy();
  const received = await talk(port, piecesOf('', { target: '/v2/orderbook?symbol=a' }));
  assert.match(received, /^HTTP\/1.1 200 /);
  assert.deepEqual(faults, []);
});

test('pipelined requests get responses in order', async (t) => {
  const { port } = await open(t, ['*']);
  const keep = { connection: 'keep-alive' };
  // The first response takes time; the others are ready immediately.
  const asked = [
    piecesOf('', { target: '/v2/ticker?symbol=a', headers: { ...keep, 'x-request-id': '1' } }),
    piecesOf('', { target: '/v2/orderbook?symbol=a', headers: { ...keep, 'x-request-id': '2' } }),
    piecesOf('/api', {
      target: '/v2/orderbook?symbol=a',
      headers: { ...keep, 'x-request-id': '3' },
    }),
    piecesOf('', { ...post, body: asOrder({}), headers: { 'x-request-id': '4' } }),
  ];
  const received = await talk(port, [asked.flat().join('')]);
  const ids = [...received.matchAll(/^x-request-id: (.*)\r$/gm)].map(([, id]) => id);
  assert.deepEqual(ids, ['1', '2', '3', '4']);
});

test('a closing server completes requests in progress, then disconnects', async (t) => {
  const { close, port } = await open(t, ['*']);
  held = Promise.withResolvers();
  const headers = { connection: 'keep-alive' };
  const [head] = piecesOf('', { target: '/v2/trades?symbol=a', headers });
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(head, resolve));
  // This response proves that the first request is in progress.
  await talk(port, piecesOf('', { target: '/v2/orderbook?symbol=a' }));
  const closed = close();
  while (await isListening(port));
  held.resolve(new JsonText('{"a":[]}'));
  const received: Buffer[] = [];
  // The client would keep the connection open; the server closes it.
  for await (const chunk of socket) received.push(chunk as Buffer);
  assert.match(Buffer.concat(received).toString(), /^HTTP\/1.1 200 /);
  await closed;
});
