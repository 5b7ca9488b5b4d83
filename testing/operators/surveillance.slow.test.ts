// Surveillance on a real exchange: a client who cancels nearly everything, a self-trader, stops
// that hit the price band, and a withdrawal after a login from a new country. The queue contains
// exactly these, the withdrawal is pending review, and no user is notified.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

const BATCHES = 20;
const BATCH = 50;
const RESTING = 10;
/** The job runs every minute. */
const FOUND_WITHIN_MS = 120_000;
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ORDER = { symbol: 'btc-usdt', type: 'limit', size: 0.001 } as const;
const BUY = { ...ORDER, side: 'buy' } as const;
const SELL = { ...ORDER, side: 'sell' } as const;

let sandbox: Sandbox;
let admin: RestClient;
let alice: RestClient;
let bob: RestClient;

async function done(sent: Promise<RestAnswer>) {
  const { body, status, text } = await sent;
  assert.ok(status < 300, text);
  return body;
}

/** Retries while the rate limit rejects the request. */
async function patiently(send: () => Promise<RestAnswer>) {
  let answer = await send();
  const question = async () => {
    if (answer.status === 429) answer = await send();
    return answer.status !== 429;
  };
  await waitUntil({ what: 'the rate limit', timeoutMs: 60_000, question });
  return done(Promise.resolve(answer));
}

async function findings(): Promise<string[]> {
  const { data } = await done(admin.get('/admin/findings'));
  return data.map(
    ({ object, rule, user_id }: { object: string; rule: string; user_id: number }) =>
      `${rule} ${user_id} ${object}`,
  );
}

describe('surveillance of a real exchange', { timeout: 400_000 }, () => {
  before(async () => {
    sandbox = await startSandbox({ withNotifier: true });
    const { seeded, url } = sandbox;
    admin = new RestClient({ url, ...seeded.users.admin });
    alice = new RestClient({ url, ...seeded.users.alice });
    bob = new RestClient({ url, ...seeded.users.bob });
  });
  after(() => sandbox?.stop());

  test('the queue contains exactly the planted abuse', async () => {
    const { users } = sandbox.seeded;
    const { registry } = sandbox.admin;
    // 1,000 of 1,010 orders are canceled.
    const quotes = Array.from({ length: BATCH }, () => ({ ...BUY, price: 50_000 }));
    for (let at = 0; at < BATCHES; at++) {
      await patiently(() => alice.post('/orders', { orders: quotes }));
      await patiently(() => alice.delete('/order/all', { symbol: 'btc-usdt' }));
    }
    await patiently(() => alice.post('/orders', { orders: quotes.slice(0, RESTING) }));
    // Bob's orders match each other twenty times.
    const own = await patiently(() => bob.post('/order', { ...SELL, price: 65_000 }));
    for (let at = 0; at < 20; at++) {
      await patiently(() => bob.post('/order', { ...BUY, price: 65_000 }));
    }
    await patiently(() => bob.delete('/order', { order_id: own.id }));
    // Three of alice's stops are triggered with a limit far above the band.
    for (let at = 0; at < 3; at++) {
      await patiently(() => alice.post('/order', { ...BUY, price: 90_000, stop: 60_500 }));
    }
    await patiently(() => bob.post('/order', { ...SELL, price: 60_600 }));
    await patiently(() => alice.post('/order', { ...BUY, price: 60_600 }));
    // Bob withdraws with a key, shortly after a login from a country that is new for this owner.
    await registry.query(
      `insert into logins (user_id, email_mac, outcome, ip, country, created_at)
       values ($1, '', 'success', '', 'IT', now() - interval '30 days'),
         ($1, '', 'success', '', 'KP', now() - interval '1 hour')`,
      [users.bob.user],
    );
    const terms = { currency: 'btc', amount: 0.01, address: ADDRESS, network: 'btc' };
    await patiently(() => bob.post('/user/withdrawal', terms));
    const { rows } = await registry.query(
      'select id, reviews_needed, policy_lines from withdrawal_requests where user_id = $1',
      [users.bob.user],
    );
    const [{ id, policy_lines, reviews_needed }] = rows;
    assert.ok(Number(reviews_needed) > 0);
    const line = policy_lines.find(({ rule }: { rule: string }) => rule === 'new_country');
    assert.equal(line.result, 'review');

    const expected = [
      `cancel_ratio ${users.alice.user} market btc-usdt`,
      `new_country ${users.bob.user} withdrawal ${id}`,
      `price_band ${users.alice.user} market btc-usdt`,
      `self_trade ${users.bob.user} market btc-usdt`,
    ];
    const question = async () => {
      const found = await registry.query('select count(*)::integer as count from findings');
      return found.rows[0].count >= expected.length;
    };
    await waitUntil({ what: 'the findings', timeoutMs: FOUND_WITHIN_MS, question });
    assert.deepEqual((await findings()).toSorted(), expected.toSorted());
  });

  test('evidence refers to rows that the API returns', async () => {
    const { data } = await done(admin.get('/admin/findings', { rule: 'price_band' }));
    const { evidence } = await done(admin.get('/admin/finding', { id: data[0].id }));
    assert.equal(evidence[0].figures.hits, 3);
    const orders = await done(admin.get(evidence[0].calls[0].slice('/v2'.length)));
    const shown = orders.data.filter(
      ({ close_reason }: { close_reason?: string }) => close_reason === 'price_outside_band',
    );
    assert.equal(shown.length, 3);
  });

  test('no response to the subject mentions a finding', async () => {
    for (const client of [alice, bob]) {
      for (const path of ['/user', '/user/withdrawals', '/orders', '/user/logins']) {
        const { text } = await client.get(path);
        assert.ok(!/finding|surveillance|new_country|cancel_ratio/.test(text), path);
      }
      assert.equal((await client.get('/admin/findings')).status, 403);
    }
  });
});
