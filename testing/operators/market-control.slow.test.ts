// Markets under the control of several people, over HTTP and on the real engine: one person stops,
// and nobody opens, loosens or raises anything alone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp, waitingApproval } from '../identity/person-over-http.ts';

let sandbox: Sandbox;
let ann: PersonOverHttp;
let ben: PersonOverHttp;
let cid: PersonOverHttp;

describe('control of markets', { timeout: 180_000 }, () => {
  before(async () => {
    sandbox = await startSandbox();
    [ann, ben, cid] = [
      await PersonOverHttp.operator(sandbox, 'admin'),
      await PersonOverHttp.operator(sandbox, 'admin'),
      await PersonOverHttp.operator(sandbox, 'admin'),
    ];
  });
  after(() => sandbox?.stop());

  test('one person stops a market, and two open it', async () => {
    const stopped = await ann.send('PUT', '/admin/pair', {
      body: { code: 'btc-usdt', status: 'paused' },
    });
    assert.deepEqual([stopped.status, stopped.body.status], [200, 'paused']);
    const id = waitingApproval(
      await ann.send('PUT', '/admin/pair', { body: { code: 'btc-usdt', status: 'full' } }),
    );
    assert.equal(await statusOf('btc-usdt'), 'paused');
    assert.equal((await ann.approve(id)).status, 403, 'not by the requester');
    assert.equal((await ben.approve(id)).body.state, 'executed');
    await untilStatus('btc-usdt', 'full');
  });

  test('a switch stops every market at once, and three people resume them', async () => {
    const stop = await ben.send('POST', '/admin/switches/stop', { body: { name: 'trading' } });
    assert.equal(stop.status, 200, stop.text);
    assert.deepEqual(
      stop.body[0].stopped.map(({ object }: { object: string }) => object),
      ['btc-eur', 'btc-usdt', 'usdt-eur'],
    );
    assert.equal(await statusOf('btc-eur'), 'cancel-only');
    const { key, secret } = sandbox.seeded.users.alice;
    const alice = new RestClient({ url: sandbox.url, key, secret });
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
    assert.equal((await alice.post('/order', order)).status, 400);
    const id = waitingApproval(
      await ben.send('POST', '/admin/switches/resume', { body: { name: 'trading' } }),
    );
    assert.equal((await ann.approve(id)).body.state, 'pending');
    assert.equal((await cid.approve(id)).body.state, 'executed');
    await untilStatus('btc-usdt', 'full');
    await untilStatus('usdt-eur', 'full');
    const placed = await alice.post('/order', order);
    assert.equal(placed.status, 200, placed.text);
  });

  test('the issuance cap of a coin is raised far by three people only', async () => {
    const coin = { symbol: 'eth', fullname: 'Ether', issuance_cap: 100 };
    const listing = waitingApproval(await ann.send('POST', '/admin/coin', { body: coin }));
    assert.equal((await ben.approve(listing)).body.state, 'executed');
    await waitUntil({
      what: 'the coin is listed',
      timeoutMs: 20_000,
      question: async () =>
        (await ann.send('GET', '/admin/coins?currency=eth')).body.data?.[0]?.issuance_cap === 100,
    });
    const change = { code: 'eth', issuance_cap: 100_000 };
    const id = waitingApproval(await ann.send('PUT', '/admin/coin', { body: change }));
    assert.equal((await ben.approve(id)).body.state, 'pending');
    assert.equal((await cid.approve(id)).body.state, 'executed');
  });
});

async function statusOf(symbol: string): Promise<string> {
  return (await ann.send('GET', `/admin/pairs?pair=${symbol}`)).body.data[0].status;
}

function untilStatus(symbol: string, status: string): Promise<void> {
  return waitUntil({
    what: `${symbol} is ${status}`,
    timeoutMs: 20_000,
    question: async () => (await statusOf(symbol)) === status,
  });
}
