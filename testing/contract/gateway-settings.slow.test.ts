// Settings of a real HTTP gateway: enabled modules, and the stream on the REST port.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

let sandbox: Sandbox;

const statuses: [path: string, module: string, status: number][] = [
  ['/v2/health', 'public', 200],
  ['/v2/orderbook?symbol=btc-usdt', 'public', 200],
  ['/v2/user', 'user', 401],
  ['/v2/user/withdrawal/fee?currency=btc', 'user', 200],
  ['/v2/order?order_id=1', 'user', 401],
  ['/v2/admin/deposits', 'admin', 404],
  ['/v2/admin/withdrawals', 'admin', 404],
];

describe('a gateway that serves public and user routes', { timeout: 120_000 }, () => {
  before(async () => {
    const gatewaySettings = { RIALTO_GATEWAY_MODULES: 'public,user' };
    sandbox = await startSandbox({ streams: 1, gatewaySettings });
  });
  after(() => sandbox?.stop());

  for (const [path, module, status] of statuses) {
    test(`it returns ${status} for ${path} in the ${module} module`, async () => {
      const answer = await fetch(`${sandbox.url}${path}`);
      await answer.arrayBuffer();
      assert.equal(answer.status, status);
    });
  }

  test('it returns 404 for operator writes', async () => {
    const answer = await fetch(`${sandbox.url}/v2/admin/mint`, { method: 'POST', body: '{}' });
    await answer.arrayBuffer();
    assert.equal(answer.status, 404);
  });

  for (const path of ['/stream', '/v2/stream']) {
    test(`it forwards ${path} to the stream gateway`, async () => {
      const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}${path}`);
      // Other messages, such as a greeting, might come first.
      const book = new Promise((resolve) => {
        socket.on('message', (data) => {
          const message = JSON.parse(`${data}`);
          if (message.topic === 'orderbook') resolve(message.symbol);
        });
      });
      await once(socket, 'open');
      socket.send(JSON.stringify({ op: 'subscribe', args: ['orderbook:btc-usdt'] }));
      assert.equal(await book, 'btc-usdt');
      socket.terminate();
    });
  }

  test('it returns 503 while the stream gateway is unreachable, and recovers', async () => {
    const stream = sandbox.service('gateway-websocket-1');
    const url = `${sandbox.url.replace('http', 'ws')}/stream`;
    await stream.kill('SIGKILL');
    const refused = new WebSocket(url);
    refused.on('error', () => {});
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 503);
    await stream.start();
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.terminate();
  });
});
