// The stream on the REST port, over real sockets, with a stand-in stream gateway behind the proxy.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { BrowserCookies } from '../../infra/access/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { isStreamHandshake, StreamProxy } from './stream-proxy.ts';

interface Opened {
  readonly url: string;
  readonly proxy: StreamProxy;
  readonly events: string[];
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens a REST server that responds with 404 to everything but stream handshakes. */
async function openProxy(t: TestContext, port: number, socketsMax = 10): Promise<Opened> {
  const events: string[] = [];
  const proxy = new StreamProxy({
    url: new URL(`ws://127.0.0.1:${port}`),
    clock: systemClock,
    cookies: new BrowserCookies('https://exchange.example'),
    socketsMax,
    answerTimeoutMs: 300,
    watcher: {
      streamOpened: () => events.push('opened'),
      streamClosed: () => events.push('closed'),
      streamRefused: (reason) => events.push(reason),
    },
  });
  const server = createHttpServer(
    { shouldUpgradeCallback: isStreamHandshake },
    (_request, response) => response.writeHead(404).end(),
  );
  proxy.attach(server);
  const url = `ws://127.0.0.1:${await portOf(server)}`;
  t.after(() => {
    proxy.stop();
    server.close();
    server.closeAllConnections();
  });
  return { url, proxy, events };
}

/** Echoes every message, and records the handshakes. */
async function openEcho(t: TestContext) {
  const handshakes: IncomingMessage[] = [];
  const server = createHttpServer();
  const websockets = new WebSocketServer({ server });
  websockets.on('connection', (socket, request) => {
    handshakes.push(request);
    socket.on('message', (data) => socket.send(`echo ${data}`));
  });
  t.after(() => {
    for (const client of websockets.clients) client.terminate();
    server.close();
  });
  return { port: await portOf(server), handshakes };
}

async function statusOf(url: string, headers = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test("abuse 22: a session cookie from another site's page is not forwarded", async (t) => {
  const { handshakes, port } = await openEcho(t);
  const { events, url } = await openProxy(t, port);
  const cookie = 'a=b; __Host-rialto=token';
  for (const origin of ['https://evil.example', 'null', undefined]) {
    const headers = { cookie, ...(origin !== undefined && { origin }) };
    assert.equal(await statusOf(`${url}/stream`, headers), 403);
  }
  assert.deepEqual(events, ['foreign_origin', 'foreign_origin', 'foreign_origin']);
  assert.equal(handshakes.length, 0);
  const own = new WebSocket(`${url}/stream`, {
    headers: { cookie, origin: 'https://exchange.example' },
  });
  t.after(() => own.terminate());
  await once(own, 'open');
  assert.equal(handshakes[0].headers.cookie, cookie);
});

for (const path of ['/stream', '/v2/stream', '/api/stream', '/api/v2/stream']) {
  test(`messages pass both ways through ${path}`, async (t) => {
    const { handshakes, port } = await openEcho(t);
    const { events, url } = await openProxy(t, port);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const socket = new WebSocket(`${url}${path}?api-key=k%20y`, { headers });
    await once(socket, 'open');
    socket.send('größer');
    assert.equal(`${(await once(socket, 'message'))[0]}`, 'echo größer');
    assert.equal(handshakes[0].url, '/stream?api-key=k%20y');
    assert.equal(handshakes[0].headers['x-forwarded-for'], '203.0.113.9, 127.0.0.1');
    socket.close();
    await once(socket, 'close');
    while (events.length < 2) await new Promise(setImmediate);
    assert.deepEqual(events, ['opened', 'closed']);
  });
}

test('other paths and other upgrades are normal requests', async (t) => {
  const { port } = await openEcho(t);
  const { url } = await openProxy(t, port);
  assert.equal(await statusOf(`${url}/streams`), 404);
  assert.equal(await statusOf(`${url}/v2/order`), 404);
});

test('a refusal from the stream gateway reaches the client unchanged', async (t) => {
  const server = createHttpServer();
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno');
  });
  t.after(() => server.close());
  const { url } = await openProxy(t, await portOf(server));
  assert.equal(await statusOf(`${url}/stream`), 401);
});

test('a refused client cannot send a second request with a forged address', async (t) => {
  const received: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received.push(`${bytes}`);
      // Leaves the connection open, like a gateway with keep-alive.
      socket.write('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    });
  });
  const { url } = await openProxy(t, await portOf(server));
  t.after(() => server.close());
  const client = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  const handshake = (address: string) =>
    'GET /stream HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
    `x-forwarded-for: ${address}\r\n\r\n`;
  client.write(handshake('203.0.113.9') + handshake('10.0.0.1'));
  await once(client, 'data');
  client.write(handshake('10.0.0.2'));
  client.end();
  await once(client.resume(), 'close');
  assert.match(received.join(''), /x-forwarded-for: 203\.0\.113\.9, 127\.0\.0\.1/);
  assert.doesNotMatch(received.join(''), /10\.0\.0/);
});

test('a stream gateway that does not listen results in a 503', async (t) => {
  const taken = createTcpServer();
  const port = await portOf(taken);
  taken.close();
  await once(taken, 'close');
  const { events, url } = await openProxy(t, port);
  assert.equal(await statusOf(`${url}/stream`), 503);
  assert.deepEqual(events, ['stream_gateway_unavailable']);
});

test('a stream gateway that does not respond results in a 503 after a limited time', async (t) => {
  const silent = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  });
  const { url } = await openProxy(t, await portOf(silent));
  t.after(() => silent.close());
  assert.equal(await statusOf(`${url}/stream`), 503);
});

test('sockets above the limit are refused, and a closed socket frees a slot', async (t) => {
  const { port } = await openEcho(t);
  const { events, url } = await openProxy(t, port, 1);
  const first = new WebSocket(`${url}/stream`);
  await once(first, 'open');
  assert.equal(await statusOf(`${url}/stream`), 503);
  assert.deepEqual(events, ['opened', 'too_many_sockets']);
  first.terminate();
  while (events.length < 3) await new Promise(setImmediate);
  const second = new WebSocket(`${url}/stream`);
  await once(second, 'open');
  second.terminate();
});

test('stopping the proxy disconnects its clients', async (t) => {
  const { port } = await openEcho(t);
  const { proxy, url } = await openProxy(t, port);
  const socket = new WebSocket(`${url}/stream`);
  await once(socket, 'open');
  proxy.stop();
  await once(socket, 'close');
});
