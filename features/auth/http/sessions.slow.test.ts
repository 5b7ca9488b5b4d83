// Tests sessions on a running exchange with two gateways, a stream gateway and an identity gateway:
// browser cookies, requests from other sites, changes that end sessions, and the logs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { accessChangeFeed } from '../../../infra/access/index.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { EXCHANGE } from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

let sandbox: Sandbox;
/** All tokens sent, for searching the logs. */
const tokens: string[] = [];

async function newToken(): Promise<string> {
  const { user } = sandbox.seeded.users.alice;
  const { token } = await sandbox.admin.issueSession({ user });
  tokens.push(token);
  return token;
}

const byCookie = (token: string) => ({ cookie: `rialto=${token}` });
const byBearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ownPage = () => ({ 'x-rialto-client': '1', origin: sandbox.publicUrl });

function get(path: string, headers: Record<string, string>, url = sandbox.url): Promise<Response> {
  return fetch(`${url}/v2${path}`, { headers });
}

async function statusOf(path: string, headers: Record<string, string>, url?: string) {
  const answer = await get(path, headers, url);
  await answer.arrayBuffer();
  return answer.status;
}

const isDead = async (token: string, url: string) =>
  (await statusOf('/verify-token', byBearer(token), url)) === 401;

describe('sessions', () => {
  before(async () => {
    sandbox = await startSandbox({
      gateways: 2,
      streams: 1,
      withIdentity: true,
      logLevel: 'debug',
      accessLog: true,
    });
  });
  after(() => sandbox?.stop());

  test('a token is valid as a header, and as a cookie from our own page', async () => {
    const token = await newToken();
    const answer = await get('/verify-token', byBearer(token));
    assert.deepEqual([answer.status, await answer.json()], [200, { message: 'Valid Token' }]);
    assert.equal(await statusOf('/user', { ...byCookie(token), ...ownPage() }), 200);
  });

  test('abuse 20, 21: a cookie from anywhere else is rejected and changes nothing', async () => {
    const token = await newToken();
    const evil = 'https://evil.example';
    const client = { 'x-rialto-client': '1' };
    const table: [what: string, method: string, headers: Record<string, string>][] = [
      ['form', 'POST', { origin: evil, 'sec-fetch-site': 'cross-site' }],
      ['fetch', 'POST', { ...client, origin: evil, 'sec-fetch-site': 'cross-site' }],
      ['fetch of an old browser', 'POST', { ...client, origin: evil }],
      ['own page without the header', 'POST', { origin: sandbox.publicUrl }],
      ['the header alone', 'POST', client],
      ['image', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
      ['link', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
      ['typed address', 'GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
      ['own image', 'GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
    ];
    for (const [what, method, headers] of table) {
      const path = method === 'GET' ? '/logout' : '/order';
      const answer = await fetch(`${sandbox.url}/v2${path}`, {
        method,
        headers: { ...headers, ...byCookie(token) },
        ...(method === 'POST' && { body: '{"symbol":"btc-usdt","side":"buy","size":1}' }),
      });
      const { code } = (await answer.json()) as { code: number };
      assert.deepEqual([answer.status, code], [403, 2003], what);
      assert.deepEqual(answer.headers.getSetCookie(), [], what);
    }
    assert.equal(await statusOf('/verify-token', byBearer(token)), 200);
  });

  test('responses to other origins never allow credentials', async () => {
    const answer = await fetch(`${sandbox.url}/v2/order`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    assert.doesNotMatch(answer.headers.get('access-control-allow-headers') ?? '', /rialto-client/);
  });

  test('two credentials in one request are rejected', async () => {
    const token = await newToken();
    const cookie = { ...byCookie(token), ...ownPage() };
    const { key } = sandbox.seeded.users.alice;
    for (const other of [byBearer(token), { 'api-key': key }, { 'api-signature': 'x' }]) {
      const answer = await get('/user', { ...cookie, ...other });
      const { code } = (await answer.json()) as { code: number };
      assert.deepEqual([answer.status, code], [401, 91]);
    }
  });

  test('logging out ends the session everywhere and deletes the cookie', async () => {
    const token = await newToken();
    for (const url of sandbox.urls) {
      assert.equal(await statusOf('/verify-token', byBearer(token), url), 200);
    }
    const answer = await get('/logout', { ...byCookie(token), ...ownPage() });
    assert.deepEqual([answer.status, await answer.json()], [200, { message: 'Logged out' }]);
    const deleted = 'rialto=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict';
    assert.deepEqual(answer.headers.getSetCookie(), [deleted]);
    for (const url of sandbox.urls) {
      const what = `the session is dead on ${url}`;
      await waitUntil({ what, timeoutMs: 1_000, question: () => isDead(token, url) });
    }
    // Pages cannot delete the cookie themselves.
    const late = await get('/user', { ...byCookie(token), ...ownPage() });
    assert.deepEqual([late.status, late.headers.getSetCookie()], [401, [deleted]]);
  });

  test('a key has no session to verify or end', async () => {
    const client = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.alice });
    for (const path of ['/verify-token', '/logout']) {
      const { body, status } = await client.get(path);
      assert.deepEqual([status, body.code], [403, 2018]);
    }
  });

  test('abuse 17: a credential change ends sessions on all gateways in a second', async () => {
    const { bus, registry } = sandbox.admin;
    const { user } = sandbox.seeded.users.alice;
    const token = await newToken();
    for (const url of sandbox.urls) {
      assert.equal(await statusOf('/verify-token', byBearer(token), url), 200);
    }
    const bump = 'update users set security_version = security_version + 1 where id = $1';
    await registry.query(bump, [user]);
    const change = { user, key: 0, session: 0, isRevoked: true } as const;
    accessChangeFeed(bus, EXCHANGE).announce(change);
    const dead = sandbox.urls.map((url) =>
      waitUntil({
        what: `the old session is dead on ${url}`,
        timeoutMs: 1_000,
        question: () => isDead(token, url),
      }),
    );
    await Promise.all(dead);
    assert.equal(await statusOf('/verify-token', byBearer(await newToken())), 200);
  });

  test('abuse 22: a socket accepts the cookie only from our own page', async () => {
    const token = await newToken();
    const throughGateway = `${sandbox.url.replace('http', 'ws')}/stream`;
    for (const url of [...sandbox.streamUrls, throughGateway]) {
      for (const origin of ['https://evil.example', 'null', undefined]) {
        const headers = { ...byCookie(token), ...(origin !== undefined && { origin }) };
        assert.equal(await handshakeStatus(url, headers), 403, `${url} ${origin}`);
      }
      const socket = new WebSocket(url, {
        headers: { ...byCookie(token), origin: sandbox.publicUrl },
      });
      const texts: string[] = [];
      socket.on('message', (data) => texts.push(`${data}`));
      await waitUntil({
        what: 'the socket has a user',
        timeoutMs: 5_000,
        question: () => texts.some((text) => text.includes('alice@example.com authenticated')),
      });
      socket.terminate();
    }
  });

  test('the identity gateway runs at the lowest useful priority', () => {
    const { pid } = sandbox.service('gateway-identity');
    assert.equal(getPriority(pid!), 15);
    assert.equal(getPriority(sandbox.service('gateway-http-1').pid!), 0);
  });

  test('abuse 19: logs contain no token, cookie or part of one', async () => {
    const token = await newToken();
    await statusOf(`/user?authorization=${token}`, byBearer(token));
    await statusOf('/user', { ...byBearer(`${token}x`), ...byCookie(token), ...ownPage() });
    await handshakeStatus(`${sandbox.streamUrls[0]}?authorization=Bearer%20${token}x`, {});
    const folder = join(sandbox.folder, 'logs');
    const lines = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    await waitUntil({
      what: 'the requests are logged',
      timeoutMs: 5_000,
      question: () => lines().some((text) => text.includes('/v2/verify-token')),
    });
    const all = lines().join('\n');
    for (const one of tokens) {
      const [, claims, mac] = one.split('.');
      for (const part of [claims, mac]) assert.ok(!all.includes(part), 'a log contains a token');
    }
    assert.doesNotMatch(all, /Bearer |rialto=ey/);
  });
});

async function handshakeStatus(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
