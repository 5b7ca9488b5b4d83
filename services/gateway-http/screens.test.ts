// The gateway's file server: paths of screens, caching, compression, and the policy.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { TrustedProxies } from '../../infra/access/index.ts';
import { Screens } from './screens.ts';

const SCRIPT = 'export const answer = 42;';
const BROWSER = { accept: 'text/html,*/*' };

let root: string;
let server: FastifyInstance;
let isAllowed = true;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'rialto-screens-'));
  const folder = join(root, 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(folder, 'link.txt'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  const script = join(folder, 'assets/main-1a2b.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  server = serverOf(folder);
  await server.ready();
});
after(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

function serverOf(folder: string): FastifyInstance {
  const numbers = { limit: 1, remaining: 1, resetS: 1, retryAfterS: 3 };
  const screens = new Screens({
    folder,
    publicUrl: 'https://exchange.example',
    rateLimiter: { take: () => ({ isAllowed, ...numbers }) },
    proxies: new TrustedProxies([]),
  });
  const made = fastify();
  made.setNotFoundHandler(async (request, reply) => {
    if (await screens.answer(request, reply)) return reply;
    return reply.code(404).send('no such path');
  });
  return made;
}

describe('paths', () => {
  for (const path of ['/', '/?market=btc-usdt', '/trade/btc-usdt', '/wallet', '/index.html']) {
    test(`${path} is the index page, which browsers revalidate before each use`, async () => {
      const { body, headers, statusCode } = await server.inject({ url: path, headers: BROWSER });
      assert.deepEqual([statusCode, body], [200, '<!doctype html>']);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
    });
  }

  for (const path of [
    '/v2/nothing',
    '/v3/order',
    '/api/v2/nothing',
    '/docs/nothing',
    '/stream',
    '/metrics',
    '/health',
    '/confirm/nothing',
    '/assets/main-gone.js',
    '/nothing.html',
    '/assets/main-1a2b.js.br',
  ]) {
    test(`${path} is not the index page`, async () => {
      assert.equal((await server.inject({ url: path, headers: BROWSER })).statusCode, 404);
    });
  }

  test('programs get a 404 for a path that does not exist', async () => {
    const { statusCode } = await server.inject({ url: '/v1/ticker', headers: { accept: '*/*' } });
    assert.equal(statusCode, 404);
    assert.equal((await server.inject({ url: '/trade', headers: {} })).statusCode, 404);
    assert.equal(
      (await server.inject({ method: 'POST', url: '/', headers: BROWSER })).statusCode,
      404,
    );
  });

  for (const path of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/link.txt',
  ]) {
    test(`${path} returns no file outside the folder`, async () => {
      const answer = await server.inject({ url: path, headers: BROWSER });
      assert.doesNotMatch(answer.body, /secret/);
      assert.equal(answer.statusCode, 404);
    });
  }
});

describe('files', () => {
  const url = '/assets/main-1a2b.js';

  test("with a hash in their name are cached permanently, in the client's encoding", async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', undefined],
      ['', undefined],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const answer = await server.inject({ url, headers });
      assert.equal(answer.headers['content-encoding'], encoding, accepted);
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(answer.headers.vary, 'accept-encoding');
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(answer.headers['content-length'], `${answer.rawPayload.length}`);
      if (encoding === 'br') assert.equal(`${brotliDecompressSync(answer.rawPayload)}`, SCRIPT);
      if (encoding === undefined) assert.equal(answer.body, SCRIPT);
    }
  });

  test('that the client already has are not sent again', async () => {
    const first = await server.inject({ url, headers: { 'accept-encoding': 'br' } });
    const tag = `${first.headers.etag}`;
    const known = { 'accept-encoding': 'br', 'if-none-match': `"x", W/${tag}` };
    const again = await server.inject({ url, headers: known });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag]);
    const plain = await server.inject({ url, headers: { 'if-none-match': tag } });
    assert.equal(plain.statusCode, 200);
  });

  test('are described by HEAD without being sent', async () => {
    const { body, headers, statusCode } = await server.inject({ method: 'HEAD', url });
    assert.deepEqual([statusCode, body], [200, '']);
    assert.equal(headers['content-length'], `${SCRIPT.length}`);
  });

  test("count against their reader's rate limit", async (context) => {
    context.after(() => {
      isAllowed = true;
    });
    isAllowed = false;
    const { headers, statusCode } = await server.inject({ url });
    assert.deepEqual([statusCode, headers['retry-after']], [429, '3']);
  });
});

test('a page can load only files from its origin and connect only to its stream', async () => {
  const { headers } = await server.inject({ url: '/', headers: BROWSER });
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "font-src 'self'; manifest-src 'self'; connect-src 'self' wss://exchange.example; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(`${headers['permissions-policy']}`, /camera=\(\)/);
});

test('a build that appears later is served, and a newer one replaces it', async (context) => {
  const folder = join(root, 'later');
  const late = serverOf(folder);
  context.after(() => late.close());
  const page = () => late.inject({ url: '/', headers: BROWSER });
  const missing = await page();
  assert.equal(missing.statusCode, 503);
  assert.match(missing.body, /npm run screens -- build/);
  mkdirSync(folder);
  const index = join(folder, 'index.html');
  writeFileSync(index, 'first');
  assert.equal((await page()).body, 'first');
  writeFileSync(index, 'other');
  utimesSync(index, 1, 1);
  assert.equal((await page()).body, 'other');
});
