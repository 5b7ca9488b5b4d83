// Market control in team mode, over HTTP and on the real engine: one operator can stop trading, but
// opening, loosening or raising anything needs approval.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp, waitingApproval } from '../identity/person-over-http.ts';

let sandbox: Sandbox;
let ann: PersonOverHttp;
let ben: PersonOverHttp;
let cid: PersonOverHttp;

describe('market control', { timeout: 180_000 }, () => {
  before(async () => {
    sandbox = await startSandbox();
    await useTeam(sandbox.admin.registry);
    [ann, ben, cid] = [
      await PersonOverHttp.operator(sandbox, 'admin'),
      await PersonOverHttp.operator(sandbox, 'admin'),
      await PersonOverHttp.operator(sandbox, 'admin'),
    ];
  });
  after(() => sandbox?.stop());

  test('one operator stops a market, and two open it', async () => {
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

  test('a switch stops every market immediately, and three operators resume them', async () => {
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

  test('a market reopens with an auction: collected, shown, and traded at one price', async () => {
    const halt = { code: 'usdt-eur', status: 'cancel-only' };
    assert.equal((await ann.send('PUT', '/admin/pair', { body: halt })).status, 200);
    await startAuction('usdt-eur', undefined);
    const [alice, bob] = ['alice', 'bob'].map((name) => clientOf(name as 'alice' | 'bob'));
    const order = { symbol: 'usdt-eur', type: 'limit' };
    const orders: [RestClient, string, number, number][] = [
      [alice, 'buy', 0.95, 30],
      [alice, 'buy', 0.93, 20],
      [bob, 'sell', 0.91, 10],
      [bob, 'sell', 0.92, 15],
    ];
    for (const [client, side, price, size] of orders) {
      const placed = await client.post('/order', { ...order, side, price, size });
      assert.equal(placed.status, 200, placed.text);
    }
    const market = await alice.post('/order', { ...order, type: 'market', side: 'buy', size: 10 });
    assert.match(market.text, /resting limit orders/);
    const shown = { status: 'auction', volume: 25, imbalance: 5, ends_at: null };
    await untilAuction('usdt-eur', shown);
    await startAuction('usdt-eur', 600);
    await untilAuction('usdt-eur', { ...shown, ends_at: await endOf('usdt-eur') });
    await stopAndResume('usdt-eur');
    await untilAuction('usdt-eur', shown);
    const id = waitingApproval(
      await ann.send('PUT', '/admin/pair', { body: { code: 'usdt-eur', status: 'full' } }),
    );
    assert.equal((await ben.approve(id)).body.state, 'executed');
    await untilStatus('usdt-eur', 'full');
    await untilAuction('usdt-eur', { status: 'full', price: null, volume: 0, ends_at: null });
    const { 'usdt-eur': trades } = (await alice.get('/trades', { symbol: 'usdt-eur' })).body;
    const last = trades.slice(0, 2) as { price: number; size: number }[];
    assert.deepEqual(
      last.map(({ size }) => size),
      [15, 10],
    );
    assert.equal(last[0].price, last[1].price);
  });

  test('a large raise of the issuance cap needs three operators', async () => {
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

function clientOf(name: 'alice' | 'bob'): RestClient {
  const { key, secret } = sandbox.seeded.users[name];
  return new RestClient({ url: sandbox.url, key, secret });
}

async function startAuction(code: string, auction_seconds: number | undefined): Promise<void> {
  const body = { code, status: 'auction', ...(auction_seconds && { auction_seconds }) };
  const id = waitingApproval(await ann.send('PUT', '/admin/pair', { body }));
  assert.equal((await ben.approve(id)).body.state, 'executed');
  await untilStatus(code, 'auction');
}

/** Polls the public endpoint, which is at most one second behind. */
function untilAuction(symbol: string, expected: Readonly<Record<string, unknown>>): Promise<void> {
  const anyone = new RestClient({ url: sandbox.url });
  return waitUntil({
    what: `the auction of ${symbol} is ${JSON.stringify(expected)}`,
    timeoutMs: 20_000,
    question: async () => {
      const { [symbol]: shown } = (await anyone.get('/auction', { symbol })).body;
      return Object.entries(expected).every(([name, value]) => shown[name] === value);
    },
  });
}

/** A switch stops the auction. After the resume, the auction has no end. */
async function stopAndResume(symbol: string): Promise<void> {
  const body = { name: 'trading', symbol };
  assert.equal((await ben.send('POST', '/admin/switches/stop', { body })).status, 200);
  await untilStatus(symbol, 'cancel-only');
  await untilAuction(symbol, { status: 'cancel-only', price: null, volume: 0, ends_at: null });
  const id = waitingApproval(await ben.send('POST', '/admin/switches/resume', { body }));
  assert.equal((await ann.approve(id)).body.state, 'executed');
  await untilStatus(symbol, 'auction');
}

async function endOf(symbol: string): Promise<string> {
  let endsAt: string | null = null;
  await waitUntil({
    what: `${symbol} has an end time`,
    timeoutMs: 20_000,
    question: async () => {
      const { body } = await ann.send('GET', `/admin/pairs?pair=${symbol}`);
      endsAt = body.data[0].auction_ends_at;
      return endsAt !== null;
    },
  });
  return endsAt!;
}

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
