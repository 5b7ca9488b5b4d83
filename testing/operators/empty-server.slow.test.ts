// From an empty server to a market with its first trade, using only documented calls. The setup
// token is read from the gateway's log, and codes from the emails of their recipients.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runRialto } from '../../tools/cli/run.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { readLastMail } from '../identity/read-mails.ts';
import { ADMINISTRATOR, Caller, firstAdministrator } from './first-administrator.ts';

const { password: PASSWORD } = ADMINISTRATOR;

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ isEmpty: true });
});
after(() => sandbox?.stop());

test('an empty server becomes an exchange', { timeout: 180_000 }, async () => {
  const admin = await firstAdministrator({
    url: sandbox.url,
    logFile: sandbox.service('gateway-http-1').logFile,
    signUp: (token) => signUpByCommandLine(ADMINISTRATOR.email, token),
  });
  const empty = await new Caller(sandbox.url).send('GET', '/constants');
  assert.deepEqual([empty.coins, empty.pairs], [{}, {}]);
  await admin.send('PUT', '/admin/limits', { ordersPerUserMax: 20_000 });
  const usdt = await admin.send('POST', '/admin/coin', {
    symbol: 'usdt',
    fullname: 'Tether',
    decimals: 6,
    issuance_cap: 1_000_000,
    estimated_price: 1,
    type: 'other',
  });
  assert.deepEqual([usdt.symbol, usdt.decimals, usdt.issuance_cap], ['usdt', 6, 1_000_000]);
  const btc = { symbol: 'btc', fullname: 'Bitcoin', estimated_price: 60_000, type: 'other' };
  await admin.send('POST', '/admin/coin', btc);
  const pair = await admin.send('POST', '/admin/pair', {
    name: 'btc-usdt',
    pair_base: 'btc',
    pair_2: 'usdt',
    increment_size: 0.0001,
    increment_price: 0.01,
    max_size: 1_000,
    max_price: 1_000_000,
    estimated_price: 60_000,
  });
  assert.deepEqual(
    [pair.status, pair.band, pair.slippage, pair.reference_price],
    ['pre-launch', 10, 5, 60_000],
  );
  const fees = { 1: { maker: 0.1, taker: 0.2 } };
  await admin.send('PUT', '/admin/pair/fees', { pair: 'btc-usdt', fees });
  const seller = await signedUp('seller@example.com');
  const buyer = await signedUp('buyer@example.com');
  await admin.send('POST', '/admin/mint', { user_id: seller.id, currency: 'btc', amount: 0.002 });
  await admin.send('POST', '/admin/mint', { user_id: buyer.id, currency: 'usdt', amount: 200 });
  const opened = await admin.send('PUT', '/admin/pair', { code: 'btc-usdt', status: 'full' });
  assert.equal(opened.status, 'full');
  await waitUntil({
    what: 'the gateway has received the open market',
    timeoutMs: 10_000,
    question: async () =>
      (await new Caller(sandbox.url).send('GET', '/constants')).pairs['btc-usdt']?.status ===
      'full',
  });

  const order = { symbol: 'btc-usdt', type: 'limit', size: 0.001, price: 60_000 };
  await seller.send('POST', '/order', { ...order, side: 'sell' });
  const bought = await buyer.send('POST', '/order', { ...order, side: 'buy' });
  assert.equal(bought.status, 'filled');
  const { data } = await buyer.send('GET', '/user/trades');
  assert.deepEqual(
    data.map(({ fee, price, size }: Record<string, number>) => ({ fee, price, size })),
    [{ fee: 0.000002, price: 60_000, size: 0.001 }],
  );
  const audit = await admin.send('GET', '/admin/audits?limit=100&order=asc');
  const acts = audit.data.map(({ act }: { act: string }) => act);
  for (const act of ['engine.limits', 'coin.create', 'pair.create', 'pair.fees', 'pair.change']) {
    assert.ok(acts.includes(act), `${act} in ${acts.join(', ')}`);
  }
});

/** Runs `rialto setup admin`. Secrets come from files. */
async function signUpByCommandLine(email: string, token: string): Promise<void> {
  const file = (name: string) => join(sandbox.folder, name);
  writeFileSync(file('profile.json'), JSON.stringify({ url: sandbox.url }));
  writeFileSync(file('token'), token);
  writeFileSync(file('password'), `${PASSWORD}\n`);
  const files = ['--token-file', file('token'), '--password-file', file('password')];
  const notes: string[] = [];
  const code = await runRialto(['setup', 'admin', email, ...files], {
    environment: { RIALTO_PROFILE: file('profile.json') },
    print: () => {},
    note: (line) => void notes.push(line),
  });
  assert.equal(code, 0, notes.join('\n'));
}

async function signedUp(email: string): Promise<Caller & { readonly id: number }> {
  const nobody = new Caller(sandbox.url);
  await nobody.send('POST', '/signup', { email, password: PASSWORD });
  const { registry, vault } = sandbox.admin;
  const { values } = await readLastMail(registry, vault, { to: email, kind: 'verify_email' });
  await nobody.send('POST', '/verify', { verification_code: values.code });
  const { token } = await nobody.send('POST', '/login', { email, password: PASSWORD });
  const person = new Caller(sandbox.url, token);
  const { id } = await person.send('GET', '/user');
  return Object.assign(person, { id: Number(id) });
}
