// Where documents and existing servers of the interface disagree, Rialto chose one behavior. Each
// choice that is visible in an existing route is tested here on a running exchange.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MARKET_STATUSES } from '../../core/messages/index.ts';
import { installPassword, PasswordHasher } from '../../features/auth/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { SampleWorld } from './route-samples.ts';

let sandbox: Sandbox;
let world: SampleWorld;
let [admin, alice, anyone]: RestClient[] = [];

// biome-ignore lint/suspicious/noExplicitAny: each test checks its own response shape.
async function done(asked: ReturnType<RestClient['get']>, wanted = 200): Promise<any> {
  const { body, status, text } = await asked;
  assert.equal(status, wanted, text);
  return body;
}

const PASSWORD = 'correct horse battery';

/** Creates a user who can log in with PASSWORD. */
async function newPerson() {
  const [{ email, user }] = await sandbox.createTraders({ count: 1 });
  const { registry, vault } = sandbox.admin;
  const hasher = new PasswordHasher({ clock: systemClock });
  await installPassword(
    registry,
    vault,
    user,
    await hasher.hash(PASSWORD, { isKnownDevice: true }),
  );
  return { email, user };
}

function logIn(email: string, password: string, headers: Record<string, string> = {}) {
  return anyone.send({ method: 'POST', target: '/v2/login', body: { email, password }, headers });
}

async function newToken(): Promise<string> {
  const { user } = sandbox.seeded.users.alice;
  return (await sandbox.admin.issueSession({ user })).token;
}

function getAs(token: string, target: string) {
  return anyone.send({ method: 'GET', target, headers: { authorization: `Bearer ${token}` } });
}

const FLAGS = { status: true, dismissed: false, rejected: false, processing: false };

describe('compatibility', () => {
  before(async () => {
    sandbox = await startSandbox({ checkAnswers: true });
    world = new SampleWorld(sandbox);
    [admin, alice] = [world.client('admin'), world.client('alice')];
    anyone = new RestClient({ url: sandbox.url });
  });
  after(() => sandbox?.stop());

  test('1: a bad request returns 400, a wrong method 405, an unknown path 404', async () => {
    const refused = [
      [400, alice.get('/order', { order_id: 'x' })],
      [400, alice.get('/order')],
      [400, alice.get('/orders', { limit: 'many' })],
      [400, alice.post('/order', { symbol: 'btc-usdt' })],
      [400, alice.send({ method: 'POST', target: '/v2/order', body: '{"size":' })],
      [405, alice.put('/user', {})],
      [404, anyone.get('/no/such/path')],
      [404, anyone.send({ method: 'GET', target: '/v2/%zz' })],
    ] as const;
    for (const [status, asked] of refused) {
      const { code, lang, message } = await done(asked, status);
      assert.deepEqual([typeof message, lang, typeof code], ['string', 'en', 'number']);
    }
    assert.match((await anyone.put('/ticker')).headers.get('allow') ?? '', /^GET, HEAD$/);
  });

  test('2: a key without the permission returns 403, an unknown key 401', async () => {
    const { user } = sandbox.seeded.users.alice;
    const issued = await sandbox.admin.issueKey({ user, canTrade: false, canWithdraw: false });
    const reader = new RestClient({ url: sandbox.url, ...issued });
    await done(reader.get('/user/balance'));
    await done(reader.post('/order', {}), 403);
    await done(reader.post('/user/withdrawal', {}), 403);
    await done(alice.get('/admin/deposits'), 403);
    const key = '0'.repeat(40);
    await done(new RestClient({ url: sandbox.url, key, secret: 'x' }).get('/user'), 401);
  });

  test('6: withdrawal_fees has one object per network', async () => {
    const { coins } = await done(anyone.get('/constants'));
    assert.deepEqual(coins.btc.withdrawal_fees, {
      btc: { value: 0.0005, symbol: 'btc', active: true, type: 'static', min: 0.001, max: 100 },
    });
    assert.deepEqual(Object.keys(coins.usdt.withdrawal_fees), ['eth', 'trx']);
    assert.equal(coins.eur.withdrawal_fees, null);
  });

  test('7: a pair has one of ten statuses, with hyphens', async () => {
    const { pairs } = await done(anyone.get('/constants'));
    assert.equal(pairs['btc-usdt'].status, 'full');
    assert.deepEqual([...MARKET_STATUSES].sort(), [
      'auction',
      'cancel-only',
      'delisted',
      'full',
      'inactive',
      'maintenance',
      'migration',
      'paused',
      'post-only',
      'pre-launch',
    ]);
  });

  for (const field of ['updated_transaction_id', 'updated_transactionId']) {
    test(`8: ${field} is the network's transaction id`, async () => {
      const { transaction_id } = await world.withdrawal('alice');
      const chain = randomUUID();
      const change = { transaction_id, [field]: chain, status: true };
      const row = await done(admin.put('/admin/burn', change));
      assert.equal(row.transaction_id, chain);
      assert.equal(row.status, true);
    });
  }

  test('13: mint and burn return the row with the message Success', async () => {
    const { user: user_id } = sandbox.seeded.users.alice;
    const transaction_id = randomUUID();
    const asked = { user_id, currency: 'eur', amount: 12.5, transaction_id };
    const made = await done(admin.post('/admin/mint', { ...asked, status: false }), 201);
    const { amount, message, status, type } = made;
    assert.deepEqual([message, amount, status, type], ['Success', 12.5, false, 'deposit']);
    assert.equal(made.transaction_id, transaction_id);
    const completed = await done(admin.put('/admin/mint', { transaction_id, status: true }));
    assert.deepEqual({ ...completed, ...FLAGS, message: 'Success' }, completed);
    const withdrawal = await world.withdrawal('alice');
    const change = { transaction_id: withdrawal.transaction_id, dismissed: true };
    const burned = await done(admin.put('/admin/burn', change));
    assert.deepEqual(
      [burned.message, burned.dismissed, burned.id],
      ['Success', true, withdrawal.id],
    );
  });

  test('14: the withdrawal fee is public, with either parameter name', async () => {
    const fee = { fee: 0.0005, fee_coin: 'btc' };
    assert.deepEqual(await done(anyone.get('/user/withdrawal/fee', { currency: 'btc' })), fee);
    assert.deepEqual(await done(anyone.get('/user/withdrawal/fee', { symbol: 'btc' })), fee);
  });

  test('18: without a filter all orders are listed, newest first', async () => {
    const [bob] = await sandbox.createTraders({ count: 1 });
    const trader = new RestClient({ url: sandbox.url, key: bob.key, secret: bob.secret });
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001 };
    const placed: string[] = [];
    for (const price of [50_000, 50_001, 50_002]) {
      placed.push((await done(trader.post('/order', { ...order, price }))).id);
    }
    await done(trader.delete('/order', { order_id: placed[1] }));
    const idsOf = async (query: Record<string, boolean>) =>
      (await done(trader.get('/orders', query))).data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsOf({}), placed.toReversed());
    assert.deepEqual(await idsOf({ open: true }), [placed[2], placed[0]]);
    assert.deepEqual(await idsOf({ open: false }), [placed[1]]);
  });

  test('19: health has six fields', async () => {
    const health = await done(anyone.get('/health'));
    const fields = ['name', 'version', 'host', 'domain', 'basePath', 'status'];
    assert.deepEqual(Object.keys(health), fields);
    assert.deepEqual([health.basePath, health.status], ['/v2', true]);
  });

  test('20: constants have the fields that web clients read', async () => {
    assert.deepEqual(Object.keys(await done(anyone.get('/constants'))).sort(), [
      'broker',
      'coins',
      'network',
      'networkQuickTrades',
      'pairs',
      'quicktrade',
      'transactionLimits',
    ]);
  });

  test('21: a balance starts with user_id', async () => {
    const balance = await done(alice.get('/user/balance'));
    const { user } = sandbox.seeded.users.alice;
    assert.deepEqual(Object.entries(balance)[0], ['user_id', user]);
  });

  test('a query is signed byte for byte, even if the client malformed it', async () => {
    const get = (target: string) => alice.send({ method: 'GET', target: `/v2${target}` });
    await done(get('/user/deposits?&currency=usdt&start_date=2020-01-01T00:00:00.000Z'));
    await done(get('/user/deposits?'));
    await done(get('/oracle/prices?&assets=btc,eur&quote=usdt'));
    await done(admin.send({ method: 'GET', target: '/v2/admin/balances?' }));
    const file = await admin.send({ method: 'GET', target: '/v2/admin/balances?/csv&format=csv' });
    assert.equal(file.status, 202);
    const twice = await done(get('/order?&order_id=x&order_id=y'), 400);
    assert.match(twice.message, /more than once/);
  });

  test('a market order can have the price 0, including an order by an operator', async () => {
    const bob = world.client('bob');
    const sell = { symbol: 'btc-usdt', side: 'sell', type: 'limit', size: 0.003, price: 60_000 };
    await done(bob.post('/order', sell));
    const market = { ...sell, side: 'buy', type: 'market', size: 0.001, price: 0 };
    assert.equal((await done(alice.post('/order', market))).status, 'filled');
    const ofAlice = { ...market, user_id: sandbox.seeded.users.alice.user };
    assert.equal((await done(admin.post('/admin/order', ofAlice))).status, 'filled');
    const { price: _, ...withoutPrice } = ofAlice;
    assert.equal((await done(admin.post('/admin/order', withoutPrice))).status, 'filled');
  });

  test('a public endpoint ignores a key without a signature', async () => {
    const headers = { 'api-key': sandbox.seeded.users.alice.key };
    for (const target of ['/v2/kit', '/v2/constants', '/v2/ticker?symbol=btc-usdt']) {
      await done(anyone.send({ method: 'GET', target, headers }));
    }
    await done(anyone.send({ method: 'GET', target: '/v2/user', headers }), 401);
  });

  test('the signature of a DELETE covers its body', async () => {
    const { id: user_id } = await done(
      admin.post('/admin/user', { email: 'leaver@example.com', password: PASSWORD }),
      201,
    );
    const target = '/v2/admin/user';
    await done(admin.send({ method: 'DELETE', target, body: { user_id } }));
  });

  test('a CSV file has each value in its column, even if rows have different fields', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const { key, secret } = trader;
    const client = new RestClient({ url: sandbox.url, key, secret });
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
    const { id } = await done(client.post('/order', { ...order, client_order_id: 'mine' }));
    await done(client.delete('/order', { order_id: id }));
    await done(client.post('/order', order));
    const { headers, text } = await client.get('/orders', { format: 'csv' });
    assert.equal(headers.get('content-disposition'), 'attachment; filename="Rialto-orders.csv"');
    const [names, newest, oldest] = text.split('\r\n').map((line) => line.split(','));
    const cell = (row: string[], name: string) => row.at(names.indexOf(name) - names.length);
    assert.equal(cell(newest, 'client_order_id'), '');
    assert.equal(cell(oldest, 'client_order_id'), 'mine');
    assert.equal(cell(oldest, 'close_reason'), 'canceled_by_user');
    assert.equal(oldest[names.indexOf('id')], id);
  });

  test('S2: no endpoint sets a password by address alone or uses other providers', async () => {
    const body = { email: 'alice@example.com', password: PASSWORD, google_token: 'x' };
    for (const path of ['/password', '/signup/google', '/login/google']) {
      assert.equal((await done(anyone.post(path, body), 404)).message, 'Not found');
    }
  });

  test('S3, S7: a password is required but needs no digit', async () => {
    const email = 'letters@example.com';
    assert.equal((await done(anyone.post('/signup', { email }), 400)).code, 29);
    await done(anyone.post('/signup', { email, password: PASSWORD }), 201);
  });

  test('S4: sign-up returns the same response for known and unknown addresses', async () => {
    const { email: known } = await newPerson();
    const answers = [known, 'unknown@example.com'].map((email) =>
      anyone.post('/signup', { email, password: PASSWORD }),
    );
    const [one, other] = await Promise.all(answers);
    assert.deepEqual([one.status, one.text], [201, other.text]);
  });

  test('S5: a login reveals nothing about an account before the password is correct', async () => {
    const { email, user } = await newPerson();
    const wrong = await logIn(email, 'wrong horse battery');
    const unknown = await logIn('nobody@example.com', 'wrong horse battery');
    assert.deepEqual([wrong.status, wrong.body.code, wrong.text], [401, 22, unknown.text]);
    await sandbox.admin.registry.query(`update users set state = 'frozen' where id = $1`, [user]);
    assert.equal((await done(logIn(email, PASSWORD), 401)).code, 19);
  });

  test('S8: a cookie alone cannot log out, but a token can', async () => {
    const token = await newToken();
    const headers = { cookie: `rialto=${token}` };
    await done(anyone.send({ method: 'GET', target: '/v2/logout', headers }), 403);
    await done(getAs(token, '/v2/verify-token'));
    await done(getAs(token, '/v2/logout'));
    await done(getAs(token, '/v2/verify-token'), 401);
  });

  test('S9: the password reset link redirects to a page', async () => {
    const url = `${sandbox.url}/v2/confirm-change-password/${randomUUID()}`;
    const answer = await fetch(url, { redirect: 'manual' });
    assert.equal(answer.status, 302);
    assert.match(answer.headers.get('location') ?? '', /\/confirm#purpose=change_password&code=/);
  });

  test('S10: the options of a passkey login name no credentials', async () => {
    for (const email of ['alice@example.com', 'nobody@example.com']) {
      const options = await done(anyone.get('/login/passkey-auth-options', { email }));
      assert.deepEqual(options.allowCredentials, []);
    }
  });

  test('S11: a wrong code in a session returns 400', async () => {
    const headers = { authorization: `Bearer ${await newToken()}` };
    const post = (path: string, body: object) =>
      anyone.send({ method: 'POST', target: `/v2/user/${path}`, body, headers });
    await done(post('deactivate-otp', { code: '000000' }), 400);
    await done(post('token', { name: 'bot', otp_code: '000000', email_code: 'x' }), 400);
  });

  test('S12: custom-device does not skip the captcha', async () => {
    const { email } = await newPerson();
    for (let failures = 0; failures < 3; failures++) await logIn(email, 'wrong horse battery');
    const refused = await done(logIn(email, PASSWORD, { 'custom-device': 'yes' }), 400);
    assert.equal(refused.code, 82);
  });

  test('S15: a token with other claims is rejected', async () => {
    const [header, claims, mac] = (await newToken()).split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const text = JSON.stringify({ ...read, scopes: ['user', 'admin'] });
    const forged = [header, Buffer.from(text).toString('base64url'), mac].join('.');
    await done(getAs(forged, '/v2/verify-token'), 401);
  });
});
