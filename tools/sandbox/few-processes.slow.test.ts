// An exchange in few processes trades, and continues with the same data after each of its processes
// was killed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../services/wait-until.ts';
import { RestClient } from './rest-client.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const WITHIN_MS = 120_000;
const SERVICES = [
  'archivist',
  'gateway-http',
  'gateway-websocket',
  'monitor',
  'notifier',
  'outbox-dispatcher',
  'projector',
  'publisher',
  'reconciler',
  'sequencer',
];

const ORDER = { symbol: 'btc-usdt', type: 'limit', size: 0.01 };

function clientOf(sandbox: Sandbox, name: 'alice' | 'bob'): RestClient {
  const { key, secret } = sandbox.seeded.users[name];
  return new RestClient({ url: sandbox.url, key, secret });
}

/** Returns the number of trades that the user has after this one. */
async function trade(sandbox: Sandbox, price: number): Promise<number> {
  const alice = clientOf(sandbox, 'alice');
  const bob = clientOf(sandbox, 'bob');
  const sold = await alice.post('/order', { ...ORDER, side: 'sell', price });
  assert.equal(sold.status, 200, sold.text);
  const bought = await bob.post('/order', { ...ORDER, side: 'buy', price });
  assert.equal(bought.status, 200, bought.text);
  const { body, text } = await bob.get('/user/trades');
  assert.equal(body.data[0].price, price, text);
  return body.count;
}

async function heardServices(sandbox: Sandbox): Promise<readonly string[]> {
  const { key, secret } = sandbox.seeded.users.admin;
  const operator = new RestClient({ url: sandbox.url, key, secret });
  const { body, status } = await operator.get('/admin/health');
  if (status !== 200) return [];
  const found = body.processes as { service: string; ready: boolean; state: string }[];
  const running = found.filter(({ ready, state }) => ready && state === 'running');
  return [...new Set(running.map(({ service }) => service))].sort();
}

test('few processes trade, are killed, and continue', async (context) => {
  const sandbox = await startSandbox({
    isTogether: true,
    withIdentity: true,
    streams: 1,
    withArchivist: true,
    withReconciler: true,
    withMonitor: true,
    withNotifier: true,
  });
  context.after(() => sandbox.stop());
  assert.deepEqual(
    sandbox.services.map(({ name }) => name),
    ['exchange', 'gateway-identity', 'gateways'],
  );
  assert.equal(await trade(sandbox, 50_000), 1);
  const open = await clientOf(sandbox, 'alice').post('/order', {
    ...ORDER,
    side: 'sell',
    price: 60_000,
  });
  assert.equal(open.status, 200, open.text);
  for (const [at, name] of ['exchange', 'gateways'].entries()) {
    const process = sandbox.service(name);
    await process.kill('SIGKILL');
    await process.start();
    assert.equal(await trade(sandbox, 50_001 + at), 2 + at);
  }
  const book = await clientOf(sandbox, 'bob').get('/orderbook', { symbol: 'btc-usdt' });
  assert.deepEqual(book.body['btc-usdt'].asks, [[60_000, 0.01]]);
  await waitUntil({
    what: 'every service reports its own status',
    timeoutMs: WITHIN_MS,
    question: async () => (await heardServices(sandbox)).join() === SERVICES.join(),
  });
});
