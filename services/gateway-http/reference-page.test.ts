// The reference page loads everything from its own origin, and its policy allows nothing else.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { TrustedProxies } from '../../infra/access/index.ts';
import { addReferencePage, policyFor } from './reference-page.ts';

let server: FastifyInstance;
let isAllowed = true;

describe('the reference page', () => {
  before(async () => {
    server = fastify();
    const numbers = { limit: 1, remaining: 1, resetS: 1, retryAfterS: 3 };
    addReferencePage(server, {
      rateLimiter: { take: () => ({ isAllowed, ...numbers }) },
      proxies: new TrustedProxies([]),
      title: 'Rialto',
      version: '1.2.3',
    });
    await server.ready();
  });
  after(() => server.close());

  test('redirects from the path without its trailing slash', async () => {
    const { headers, statusCode } = await server.inject('/docs');
    assert.equal(statusCode, 301);
    assert.match(`${headers.location}`, /\/docs\/$/);
  });

  test('loads nothing from another host', async () => {
    const { body, headers, statusCode } = await server.inject('/docs/');
    assert.equal(statusCode, 200);
    assert.match(`${headers['content-type']}`, /text\/html/);
    const links = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link);
    assert.deepEqual(links, ['js/scalar.js']);
    assert.match(body, /"url": "\/openapi\.json"/);
    assert.doesNotMatch(body, /https?:\/\//);
  });

  test('allows its inline scripts by hash, and no other', async () => {
    const { body, headers } = await server.inject('/docs/');
    const scripts = [
      ...body.matchAll(/<script(?: type="text\/javascript")?>([\s\S]*?)<\/script>/g),
    ];
    const hashes = scripts.map(
      ([, script]) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    assert.equal(hashes.length, 2);
    const policy = `${headers['content-security-policy']}`;
    assert.match(policy, /default-src 'none'/);
    assert.ok(policy.includes(`script-src 'self' ${hashes.join(' ')};`), policy);
  });

  test('has no origin, so it cannot reach the cookies or the storage of the screens', async () => {
    const { headers } = await server.inject('/docs/');
    const [sandbox] = `${headers['content-security-policy']}`.split(';');
    assert.equal(sandbox, 'sandbox allow-scripts allow-popups');
    const document = await server.inject('/openapi.json');
    assert.equal(document.headers['access-control-allow-origin'], '*');
  });

  test('serves its script and the document, compressed if the client accepts it', async () => {
    for (const [url, part] of [
      ['/docs/js/scalar.js', 'createApiReference'],
      ['/openapi.json', '"openapi":"3.1.0"'],
    ]) {
      const whole = await server.inject(url);
      assert.equal(whole.headers['content-encoding'], undefined);
      assert.ok(whole.body.includes(part), `${url} has the expected content`);
      const small = await server.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
      assert.equal(small.headers['content-encoding'], 'gzip');
      assert.equal(small.headers['content-length'], `${small.rawPayload.length}`);
      assert.equal(gunzipSync(small.rawPayload).toString(), whole.body);
    }
  });

  test("counts against its reader's rate limit", async (context) => {
    context.after(() => {
      isAllowed = true;
    });
    isAllowed = false;
    const { headers, statusCode } = await server.inject('/docs/js/scalar.js');
    assert.equal(statusCode, 429);
    assert.equal(headers['retry-after'], '3');
  });
});

test('a policy has a hash for each inline script on a page', () => {
  const policy = policyFor('<script src="a.js"></script><script>1</script><script x>2</script>');
  assert.equal(policy.match(/sha256-/g)?.length, 2);
});
