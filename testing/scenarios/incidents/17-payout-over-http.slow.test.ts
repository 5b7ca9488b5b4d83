// Incident 17, Bithumb 2026, over HTTP: a payout in the wrong unit, and the same payout twice. The
// asset's issuance cap limits an operator's credits, and one signed request is one credit.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';

let sandbox: Sandbox;

async function balanceOf(name: 'alice' | 'bob'): Promise<Record<string, number>> {
  const { key, secret } = sandbox.seeded.users[name];
  const { body, status, text } = await new RestClient({ url: sandbox.url, key, secret }).get(
    '/user/balance',
  );
  assert.equal(status, 200, text);
  return body;
}

describe('incident 17 over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2 });
  });
  after(() => sandbox?.stop());

  test('incident 17: over HTTP, operators mint up to the cap and users mint nothing', async () => {
    const { admin, alice, bob } = sandbox.seeded.users;
    const before = await balanceOf('bob');
    const payout = { user_id: bob.user, currency: 'btc', amount: 620_000_000 };
    const { url } = sandbox;
    const tooMuch = await new RestClient({ url, ...credentials(admin) }).post(
      '/admin/mint',
      payout,
    );
    assert.deepEqual([tooMuch.status, tooMuch.body.code], [400, 2220], tooMuch.text);
    const unpermitted = await new RestClient({ url, ...credentials(alice) }).post('/admin/mint', {
      ...payout,
      amount: 1,
    });
    assert.equal(unpermitted.status, 403, unpermitted.text);
    const after = await balanceOf('bob');
    assert.deepEqual(
      [after.btc_balance, after.btc_available],
      [before.btc_balance, before.btc_available],
    );
  });

  test('incident 17: one signed payout at two gateways simultaneously is one credit', async () => {
    const { admin, bob } = sandbox.seeded.users;
    const rounds = 10;
    const before = await balanceOf('bob');
    for (let round = 0; round < rounds; round += 1) {
      const body = JSON.stringify({ user_id: bob.user, currency: 'eur', amount: 5 });
      const expires = `${Math.floor(Date.now() / 1_000) + 60 + round}`;
      const signature = createHmac('sha256', admin.secret)
        .update(`POST/v2/admin/mint${expires}${body}`)
        .digest('hex');
      const headers = { 'api-key': admin.key, 'api-expires': expires, 'api-signature': signature };
      const answers = await Promise.all(
        sandbox.urls.map((url) => fetch(`${url}/v2/admin/mint`, { method: 'POST', headers, body })),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 201).length, 1, `${statuses}`);
    }
    const after = await balanceOf('bob');
    assert.equal(after.eur_balance - before.eur_balance, 5 * rounds);
  });

  test('incident 17: a deposit never takes the cause of a credited deposit', async () => {
    const { admin, bob } = sandbox.seeded.users;
    const operator = new RestClient({ url: sandbox.url, ...credentials(admin) });
    const deposit = { user_id: bob.user, currency: 'eur', amount: 5 };
    for (const named of [{ transaction_id: 'seen' }, { transaction_id: 'waits', status: false }]) {
      const made = await operator.post('/admin/mint', { ...deposit, ...named });
      assert.equal(made.status, 201, made.text);
    }
    const before = await balanceOf('bob');
    const change = { transaction_id: 'waits', updated_transaction_id: 'seen', status: true };
    const { body, status, text } = await operator.put('/admin/mint', change);
    assert.deepEqual([status, body.code], [400, 2217], text);
    assert.equal((await balanceOf('bob')).eur_balance, before.eur_balance);
  });
});

function credentials({ key, secret }: { readonly key: string; readonly secret: string }) {
  return { key, secret };
}
