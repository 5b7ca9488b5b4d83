// API keys and profiles over HTTP, on a running exchange with two gateways.

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { SampleWorld, sampleOf } from '../contract/route-samples.ts';
import { sendSample } from '../contract/send-sample.ts';
import { PersonOverHttp } from './person-over-http.ts';
import { readLastMail } from './read-mails.ts';

let sandbox: Sandbox;
let world: SampleWorld;

function answered({ body, status }: RestAnswer): [status: number, code: unknown] {
  return [status, body?.code];
}

async function change(person: PersonOverHttp, token_id: number, wanted: object) {
  const body = { token_id, ...(await person.proofs()), ...wanted };
  return person.send('PUT', '/user/token', { body });
}

describe('API keys over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
    world = new SampleWorld(sandbox);
  });
  after(() => sandbox?.stop());

  test('an emailed code creates a read-only key, whose secret is shown once', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const requested = await person.send('GET', '/user/request-email-confirmation');
    assert.equal(requested.status, 200, requested.text);
    const email_code = await mailedCode(person);
    assert.match(email_code, /^[A-Z2-9]{20}$/);
    const body = { name: 'bot', otp_code: await person.otp(), email_code };
    const created = await person.send('POST', '/user/token', { body });
    assert.equal(created.status, 200, created.text);
    const { created_at, expiry, id, key, secret, ...rest } = created.body;
    assert.match(key, /^[0-9a-f]{40}$/);
    assert.match(secret, /^[0-9a-f]{50}$/);
    assert.equal(Date.parse(expiry) - Date.parse(created_at) > 1_799 * 86_400_000, true);
    assert.deepEqual(rest, {
      name: 'bot',
      type: 'hmac',
      role: 'user',
      active: true,
      revoked: false,
      can_read: true,
      can_trade: false,
      can_withdraw: false,
      whitelisted_ips: [],
      whitelisting_enabled: false,
      book_only: false,
      public_key: null,
    });
    const listed = (await person.send('GET', '/user/tokens')).body;
    assert.equal(listed.count, 1);
    assert.deepEqual([listed.data[0].id, listed.data[0].apiKey], [id, key]);
    assert.equal(listed.data[0].secret, '*'.repeat(50));
    const client = new RestClient({ url: sandbox.urls[1], key, secret });
    assert.equal((await client.get('/user')).body.id, person.user);
    assert.equal((await client.post('/order', order())).status, 403);
  });

  test("an API key based on the owner's Ed25519 key signs an order", async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const person = await PersonOverHttp.make(sandbox, { user: trader.user });
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const public_key = Buffer.from(x, 'base64url').toString('base64');
    const { id, key, secret } = await person.createKey({ type: 'ed25519', public_key });
    assert.equal(secret, '');
    const permissions = { can_trade: true };
    const changed = await change(person, id, { permissions });
    assert.deepEqual([changed.status, changed.body.can_trade], [200, true]);
    const placed = await signedOrder(key, privateKey);
    assert.equal(placed.status, 200, placed.text);
    assert.equal(placed.body.symbol, 'btc-usdt');
  });

  test('a revoked key is rejected by the other gateway within a second', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const { id, key, secret } = await person.createKey();
    const there = new RestClient({ url: sandbox.urls[1], key, secret });
    assert.equal((await there.get('/user')).status, 200);
    const body = { token_id: id, ...(await person.proofs()) };
    const revoked = await person.send('DELETE', '/user/token', { body });
    assert.deepEqual(revoked.body, { message: 'Token is successfully revoked' });
    const startedMs = Date.now();
    await waitUntil({
      what: 'the other gateway rejects the key',
      timeoutMs: 10_000,
      question: async () => (await there.get('/user')).status === 401,
    });
    assert.ok(Date.now() - startedMs < 1_000, `${Date.now() - startedMs} ms`);
    const again = { token_id: id, ...(await person.proofs()) };
    assert.deepEqual(
      answered(await person.send('DELETE', '/user/token', { body: again })),
      [400, 49],
    );
    assert.equal((await person.send('GET', '/user/tokens')).body.count, 0);
  });

  test('a withdrawal key needs IP addresses, and a book-only key needs a book entry', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const person = await PersonOverHttp.make(sandbox, { user: trader.user });
    const { id, key, secret } = await person.createKey();
    const permissions = { can_withdraw: true };
    assert.deepEqual(answered(await change(person, id, { permissions })), [400, 2319]);
    const addresses = { whitelisted_ips: ['127.0.0.1'] };
    const granted = await change(person, id, { permissions, ...addresses });
    assert.equal(granted.status, 200, granted.text);
    assert.equal(granted.body.whitelisting_enabled, true);
    assert.notEqual(granted.body.withdraw_granted_at, null);
    const client = new RestClient({ url: sandbox.url, key, secret });
    await untilChanged(client, '/user/withdrawal', withdrawal(), 200);
    await change(person, id, { book_only: true });
    await untilChanged(client, '/user/withdrawal', withdrawal(), 403);
    assert.deepEqual(answered(await client.post('/user/withdrawal', withdrawal())), [403, 2341]);
  });

  test('abuse 9: fifty parallel requests with one code and one OTP create one key', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const body = { name: 'bot', ...(await person.proofs()) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        person.send('POST', '/user/token', { body, at: at % 2 === 0 ? 0 : 1 }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    assert.ok(answers.every(({ status }) => [200, 400, 429].includes(status)));
    assert.equal((await person.send('GET', '/user/tokens')).body.count, 1);
  });

  test("abuse 35: another user's key looks like a missing one", async () => {
    const [person, stranger] = [
      await PersonOverHttp.make(sandbox),
      await PersonOverHttp.make(sandbox),
    ];
    const theirs = await stranger.createKey();
    for (const method of ['PUT', 'DELETE'] as const) {
      const ask = async (token_id: number) =>
        person.send(method, '/user/token', { body: { token_id, ...(await person.proofs()) } });
      const [foreign, unknown] = [await ask(theirs.id), await ask(4_000_000_000)];
      assert.deepEqual(answered(foreign), [404, 48]);
      assert.equal(foreign.text, unknown.text);
    }
    assert.equal((await stranger.send('GET', '/user/tokens')).body.count, 1);
    assert.equal((await person.send('GET', '/user/tokens')).body.count, 0);
  });

  test('an API key cannot change keys or the profile', async () => {
    const { alice } = sandbox.seeded.users;
    const client = new RestClient({ url: sandbox.url, key: alice.key, secret: alice.secret });
    for (const [, { body, method, path, permission }] of identityRoutes()) {
      if (permission.who !== 'person') continue;
      const sent = body === undefined ? {} : { body: {} };
      const answer = await client.send({ method, target: path, ...sent });
      assert.equal(answer.status, 403, `${method} ${path} ${answer.text}`);
    }
  });

  const FOREIGN: Readonly<Record<string, unknown>> = {
    role: 'admin',
    discount: 100,
    status: 3,
    state: 'active',
    kind: 'house',
    activated: true,
    verification_level: 9,
    affiliation_rate: 100,
    can_withdraw: true,
    user_id: 1,
    security_version: 99,
  };
  for (const [name, route] of identityRoutes().filter(([, { body }]) => body !== undefined)) {
    test(`abuse 36: ${name} does not assign unknown fields`, async () => {
      const sample = await sampleOf(name as RouteName, world, { owner: 'alice' });
      const own = Object.keys(route.body?.properties ?? {});
      const foreign = Object.entries(FOREIGN).filter(([field]) => !own.includes(field));
      const body = { ...sample.body, ...Object.fromEntries(foreign) };
      const lastUser = await newestUser();
      const before = await privileges(lastUser);
      const headers = sample.person ?? (await world.sessionHeaders('alice'));
      const means = route.permission.who === 'anyone' ? {} : { headers };
      await sendSample(route, { ...sample, body }, { url: sandbox.url, ...means });
      assert.deepEqual(await privileges(lastUser), before);
    });
  }

  const settings: [what: string, body: object, status: number][] = [
    ['a group', { risk: { popup_warning: false } }, 200],
    ['a language', { language: 'de' }, 200],
    ['an unknown language', { language: 'xx' }, 400],
    ['an unknown group', { role: 'admin' }, 400],
    ['an unknown field', { interface: { role: 'admin' } }, 400],
    ['text that cannot be stored', { interface: { theme: 'a\0b' } }, 400],
  ];
  for (const [what, body, expected] of settings) {
    test(`settings: ${what} returns ${expected}`, async () => {
      const person = await PersonOverHttp.make(sandbox);
      assert.equal((await person.send('PUT', '/user/settings', { body })).status, expected);
    });
  }

  const NOT_FOUND = [404, 'Not found'];
  const NO_PLUGINS = [
    501,
    'Rialto does not support this: there are no plugins; programs use API keys',
  ];
  const OUT = [
    'POST /login/google',
    'POST /signup/google',
    'POST /password',
    'GET /plugins/sms/verify',
    'POST /plugins/kyc/user/upload',
    'PUT /plugins/kyc/user',
    'POST /admin/verify-phone',
    'GET /chat',
    'POST /user/set-phone',
    'POST /user/upload',
  ];
  for (const call of OUT) {
    test(`${call} returns that it does not exist`, async () => {
      const person = await PersonOverHttp.make(sandbox, { hasOtp: false });
      const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT', string];
      const body = method === 'GET' ? {} : { body: { email: 'alice@example.com', password: 'x' } };
      const answer = await person.send(method, path, body);
      const [status, message] = [answer.status, answer.body.message];
      assert.deepEqual([status, message], path.startsWith('/plugins') ? NO_PLUGINS : NOT_FOUND);
    });
  }
});

/** Returns every route that needs a login session or belongs to the identity module. */
function identityRoutes(): [name: string, route: Route][] {
  return Object.entries<Route>(routes).filter(
    ([, { module, path, permission }]) =>
      (module === 'identity' || permission.who === 'person') && !path.includes(':'),
  );
}

async function newestUser(): Promise<number> {
  const { rows } = await sandbox.admin.registry.query('select max(id) as id from users');
  return Number(rows[0].id);
}

/** Returns everything about these users that only operators decide. */
async function privileges(lastUser: number): Promise<unknown> {
  const { rows } = await sandbox.admin.registry.query(
    `select id, role, discount, kind, verification_level, flagged, affiliation_rate,
       (select count(*) from api_keys k where k.user_id = u.id and (can_withdraw or role = 'admin'))
     from users u where id <= $1 order by id`,
    [lastUser],
  );
  return rows;
}

async function mailedCode({ user }: PersonOverHttp): Promise<string> {
  const { registry, vault } = sandbox.admin;
  const mail = await readLastMail(registry, vault, { user, kind: 'confirm_action' });
  return mail.values.code;
}

function order() {
  return { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
}

function withdrawal() {
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  return { currency: 'btc', amount: 0.01, address, network: 'btc' };
}

/** A changed key reaches the gateway shortly after. */
async function untilChanged(client: RestClient, path: string, body: object, status: number) {
  await waitUntil({
    what: `${path} returns ${status}`,
    timeoutMs: 10_000,
    question: async () => (await client.post(path, body)).status === status,
  });
}

function signedOrder(key: string, privateKey: KeyObject): Promise<RestAnswer> {
  const body = JSON.stringify(order());
  const expires = Math.floor(Date.now() / 1_000) + 60;
  const text = Buffer.from(`POST/v2/order${expires}${body}`);
  const signature = sign(null, text, privateKey).toString('hex');
  return new RestClient({ url: sandbox.url }).send({
    method: 'POST',
    target: '/v2/order',
    body,
    headers: { 'api-key': key, 'api-signature': signature, 'api-expires': `${expires}` },
  });
}
