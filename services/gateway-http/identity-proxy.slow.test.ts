// Identity routes on the public port, over real sockets, with a stand-in identity gateway behind
// the proxy.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  request,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { systemClock } from '../../infra/process/index.ts';
import type { Route } from '../../protocol/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { HttpExchange } from './http-exchange.ts';
import { IdentityProxy } from './identity-proxy.ts';

const LOGIN: Pick<Route, 'effect' | 'method'> = { effect: 'write', method: 'POST' };
const VERIFY: Pick<Route, 'effect' | 'method'> = { effect: 'read', method: 'GET' };

async function openUpstream(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a gateway that forwards `/v2/login` and `/v2/verify`. */
async function openGateway(t: TestContext, port: number, answerTimeoutMs = 1_000) {
  const proxy = new IdentityProxy({ url: new URL(`http://127.0.0.1:${port}`), answerTimeoutMs });
  const server = fastify({ genReqId: () => 'r1' });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  const served: number[] = [];
  for (const [url, route] of [
    ['/v2/login', LOGIN],
    ['/v2/verify', VERIFY],
  ] as const) {
    server.route({
      method: route.method,
      url,
      handler(request, reply): void {
        const onAnswered = (status: number) => void served.push(status);
        const own = { address: '203.0.113.9', clock: systemClock, headers: [], onAnswered };
        reply.hijack();
        proxy.forward(route, new HttpExchange({ request, reply, ...own }));
      },
    });
  }
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    proxy.stop();
    server.server.closeAllConnections();
    await server.close();
  });
  return { url, served };
}

async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function textOf(message: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a request and its response pass, with the address reported by trusted proxies', async (t) => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const port = await openUpstream(t, async (request, response) => {
    seen.push({ request, body: await textOf(request) });
    response.setHeader('content-type', 'application/json');
    response.setHeader('ratelimit-limit', '200');
    response.setHeader('set-cookie', ['rialto=a; Path=/', 'rialto-device=b; Path=/']);
    response.writeHead(201);
    response.end('{"token":"ü"}');
  });
  const { served, url } = await openGateway(t, port);
  const answer = await fetch(`${url}/v2/login?x=%20y`, {
    method: 'POST',
    body: '{"password":"ü"}',
    headers: {
      'content-type': 'application/json',
      cookie: 'rialto-device=b',
      'x-rialto-client': '1',
      'x-forwarded-for': '198.51.100.1',
    },
  });
  assert.equal(answer.status, 201);
  assert.equal(await answer.text(), '{"token":"ü"}');
  assert.deepEqual(answer.headers.getSetCookie(), ['rialto=a; Path=/', 'rialto-device=b; Path=/']);
  assert.equal(answer.headers.get('ratelimit-limit'), '200');
  assert.equal(answer.headers.get('x-request-id'), 'r1');
  const [{ body, request: passed }] = seen;
  assert.equal(body, '{"password":"ü"}');
  assert.deepEqual([passed.method, passed.url], ['POST', '/v2/login?x=%20y']);
  const { cookie, 'x-forwarded-for': way, 'x-request-id': id } = passed.headers;
  assert.deepEqual([cookie, way, id], ['rialto-device=b', '203.0.113.9', 'r1']);
  assert.equal(passed.headers['x-rialto-client'], '1');
  await waitUntil({
    what: 'the response is counted',
    timeoutMs: 5_000,
    question: () => served.length === 1,
  });
  assert.deepEqual(served, [201]);
});

test('while the identity gateway is down, its routes return 503', async (t) => {
  const { served, url } = await openGateway(t, await unusedPort());
  const answer = await fetch(`${url}/v2/login`, { method: 'POST', body: '{}' });
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.deepEqual(served, [503]);
});

test('a write without a response has an unknown outcome; a read can be repeated', async (t) => {
  const port = await openUpstream(t, (request) => request.socket.destroy());
  const { url } = await openGateway(t, port);
  const write = await fetch(`${url}/v2/login`, { method: 'POST', body: '{}' });
  assert.equal(write.status, 504);
  assert.equal((await fetch(`${url}/v2/verify`)).status, 503);
});

test('an identity gateway that does not respond in time is treated as unreachable', async (t) => {
  const { url } = await openGateway(t, await openUpstream(t, () => {}), 100);
  assert.equal((await fetch(`${url}/v2/verify`)).status, 503);
});

test('an interrupted response does not look complete', async (t) => {
  const port = await openUpstream(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":', () => request.socket.destroy());
  });
  const { url } = await openGateway(t, port);
  await assert.rejects(async () => (await fetch(`${url}/v2/verify`)).text());
});

test('a client that disconnects does not leave its request behind', async (t) => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  const port = await openUpstream(t, (request) => arrived.resolve(request));
  const { url } = await openGateway(t, port);
  const client = request(`${url}/v2/verify`).on('error', () => {});
  client.end();
  const upstream = await arrived.promise;
  client.destroy();
  await once(upstream.socket, 'close');
});
