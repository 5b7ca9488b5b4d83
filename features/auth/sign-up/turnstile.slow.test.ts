// Tests Turnstile against a real HTTP server: only a clear yes in time counts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { turnstile } from './turnstile.ts';

const CASES: readonly (readonly [what: string, answer: (to: ServerResponse) => void, boolean])[] = [
  ['a yes', (to) => to.end('{"success":true}'), true],
  ['a no', (to) => to.end('{"success":false,"error-codes":["invalid-input-response"]}'), false],
  ['a yes as a string', (to) => to.end('{"success":"true"}'), false],
  ['an empty response', (to) => to.end(), false],
  ['a response that is not JSON', (to) => to.end('<html>'), false],
  ['a failure with a yes', (to) => to.writeHead(500).end('{"success":true}'), false],
  ['a redirect', (to) => to.writeHead(302, { location: '/yes' }).end(), false],
  ['no response in time', () => {}, false],
  ['a lost connection', (to) => to.destroy(), false],
];

for (const [what, answer, isGood] of CASES) {
  test(`${what} is ${isGood ? '' : 'not '}accepted`, async (context) => {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
    const log = { warn: () => {} };
    const verifier = turnstile({ url, secret: 'hush', log, timeoutMs: 500 });
    assert.equal(await verifier.verify('the token', '192.0.2.1'), isGood);
    assert.deepEqual(bodies, [
      'POST application/x-www-form-urlencoded;charset=UTF-8 ' +
        'secret=hush&response=the+token&remoteip=192.0.2.1',
    ]);
  });
}

test('an unreachable verifier accepts nothing', async () => {
  const warnings: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };
  const verifier = turnstile({ url: 'http://127.0.0.1:1/', secret: 'hush', log });
  assert.equal(await verifier.verify('token', '192.0.2.1'), false);
  assert.equal(warnings.length, 1);
  assert.ok(!JSON.stringify(warnings).includes('hush'));
});
