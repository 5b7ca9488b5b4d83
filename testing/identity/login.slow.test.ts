// Logins over HTTP on a running exchange with an identity gateway: tokens and cookies, lists and
// their owners, captchas, frozen accounts, and a flood of logins.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import {
  freezeToken,
  installPassword,
  PasswordHasher,
  type PasswordTag,
} from '../../features/auth/index.ts';
import { solveChallenge } from '../../features/auth/sign-up/proof-of-work.ts';
import { systemClock } from '../../infra/process/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { accessKeyFile, REGISTRY_SCHEMA } from '../../tools/sandbox/sandbox-settings.ts';
import { until } from '../../tools/services/wait-until.ts';

const PASSWORD = 'correct horse battery';
let sandbox: Sandbox;
let tag: PasswordTag;
let people = 0;
let addresses = 0;

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

describe('login over HTTP', () => {
  before(async () => {
    const gatewaySettings = { RIALTO_TRUSTED_PROXIES: 'loopback' };
    sandbox = await startSandbox({ withIdentity: true, gatewaySettings });
    const hasher = new PasswordHasher({ clock: systemClock });
    tag = await hasher.hash(PASSWORD, { isKnownDevice: false });
  });
  after(() => sandbox?.stop());

  test('a script gets a token and no cookies, and can list and revoke its session', async () => {
    const { email, user } = await newPerson();
    const answer = await logIn(email, { from: '192.0.2.1' });
    assert.equal(answer.status, 201);
    assert.deepEqual(Object.keys(answer.body), ['token']);
    assert.equal(answer.headers.get('set-cookie'), null);
    const bearer = { authorization: `Bearer ${answer.body.token}` };
    const { body } = await call('GET', '/user/sessions', { headers: bearer });
    assert.equal(body.count, 1);
    const [session] = body.data;
    const { login } = session;
    assert.equal(session.current, true);
    assert.equal(session.status, true);
    assert.equal(login.ip, '192.0.2.1');
    assert.deepEqual(login.User, { id: user, email });
    const logins = (await call('GET', '/user/logins', { headers: bearer })).body;
    assert.equal(logins.data[0].status, true);
    assert.equal(logins.data[0].id, session.login_id);
    const devices = (await call('GET', '/user/devices', { headers: bearer })).body;
    assert.equal(devices.data[0].known_by, 'network');
    assert.equal(devices.data[0].network, '192.0.2.1');

    const revoked = await call('POST', '/user/revoke-session', {
      headers: bearer,
      body: { session_id: session.id },
    });
    assert.equal(revoked.status, 200);
    await until('the session is closed', async () => (await verify(bearer)) === 401);
  });

  test('a browser gets session and device cookies, which identify it', async () => {
    const { email, user } = await newPerson();
    const page = { 'x-rialto-client': '1', origin: sandbox.publicUrl };
    const first = await logIn(email, { headers: page });
    assert.equal(first.status, 201);
    const cookies = first.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) assert.match(cookie, /HttpOnly.*SameSite=Strict/);
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
    assert.equal(await verify({ ...page, cookie }), 200);
    assert.deepEqual(await mails(user), ['new_device']);
    const device = cookie.split('; ').find((text) => text.includes('device')) ?? '';
    assert.equal((await logIn(email, { headers: { ...page, cookie: device } })).status, 201);
    assert.deepEqual(await mails(user), ['new_device'], 'the device is known');
    assert.equal((await logIn(email, { headers: page })).status, 201);
    assert.deepEqual(await mails(user), ['new_device', 'new_device']);
  });

  test('abuse 3: wrong passwords for known and unknown addresses look the same', async () => {
    const { email } = await newPerson();
    const answersOf = async (typed: string) => {
      const answers: unknown[] = [];
      for (let attempt = 1; attempt <= 7; attempt++) {
        const { status, text } = await logIn(typed, { body: { password: 'wrong' } });
        answers.push([status, text]);
      }
      return answers;
    };
    const known = await answersOf(email);
    assert.deepEqual(await answersOf('nobody@example.com'), known);
    assert.deepEqual(known[0], [401, '{"message":"Credentials incorrect","lang":"en","code":22}']);
    assert.match(`${known[1]}`, /You have 3 more login attempts left.*25/);
    assert.match(`${known[6]}`, /Too many failed login attempts.*170/);
  });

  test("abuse 35: other users' sessions, logins and devices look missing", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const [mine, theirs] = [await bearerOf(one.email), await bearerOf(other.email)];
    const listed = await call('GET', '/user/sessions', { headers: theirs });
    const devices = await call('GET', '/user/devices', { headers: theirs });
    const [foreign, device] = [listed.body.data[0].id, devices.body.data[0].id];
    const revoke = (session_id: number) =>
      call('POST', '/user/revoke-session', { headers: mine, body: { session_id } });
    const forget = (id: number) => call('DELETE', `/user/devices?id=${id}`, { headers: mine });
    for (const [named, unknown] of [
      [await revoke(foreign), await revoke(999_999_999)],
      [await forget(device), await forget(999_999_999)],
    ]) {
      assert.equal(named.status, 404);
      assert.deepEqual([named.status, named.text], [unknown.status, unknown.text]);
    }
    assert.equal(await verify(theirs), 200);
    for (const list of ['/user/sessions?format=all', '/user/logins?format=all', '/user/devices']) {
      const { body } = await call('GET', list, { headers: mine });
      assert.equal(body.data.length, 1, list);
    }
    const ended = await call('DELETE', `/user/devices?id=${device}`, { headers: theirs });
    assert.equal(ended.status, 200);
    await until(
      'the sessions of the device are closed',
      async () => (await verify(theirs)) === 401,
    );
  });

  test('after three failures an address needs the captcha named in the challenge', async () => {
    const { email } = await newPerson();
    const from = '198.51.100.9';
    for (let failure = 1; failure <= 3; failure++) {
      await logIn(`x${failure}@example.com`, { from });
    }
    const demanded = await logIn(email, { from });
    assert.equal(demanded.status, 400);
    assert.match(demanded.text, /captcha.*missing.*82/);
    const custom = { 'custom-device': 'phone' };
    assert.equal((await logIn(email, { from, headers: custom })).status, 400, 'cannot skip it');
    const { body } = await call('GET', '/challenge', { from });
    assert.equal(body.type, 'proof_of_work');
    const captcha = solveChallenge(body);
    assert.equal((await logIn(email, { from, body: { captcha } })).status, 201);
  });

  test('the eleventh login from an address within two minutes is rejected', async () => {
    const { email } = await newPerson();
    const from = '198.51.100.10';
    for (let attempt = 1; attempt <= 10; attempt++) {
      assert.equal((await logIn(email, { from })).status, 201);
    }
    const { headers, status } = await logIn(email, { from });
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
  });

  test('the freeze link revokes sessions and keys within a second and cancels orders', async () => {
    const [{ key, secret, user }] = await sandbox.createTraders({ count: 1 });
    const { rows } = await sandbox.admin.registry.query('select email from users where id = $1', [
      user,
    ]);
    await installPassword(sandbox.admin.registry, sandbox.admin.vault, user, tag);
    const bearer = await bearerOf(rows[0].email);
    const client = new RestClient({ url: sandbox.url, key, secret });
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
    assert.equal((await client.post('/order', order)).status, 200);
    const withdrawal = {
      currency: 'btc',
      amount: 0.01,
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      network: 'btc',
    };
    const asked = await client.post('/user/withdrawal', withdrawal);
    assert.equal(asked.status, 200, asked.text);
    const token = freezeToken(sandbox.admin.vault, user, Date.now() + 1_000);
    const oldToken = freezeToken(sandbox.admin.vault, user, Date.now());
    const { status } = await call('POST', '/user/freeze-account', { body: { token } });
    assert.equal(status, 200);
    const frozenMs = Date.now();
    await until('the key is rejected', async () => (await client.get('/user')).status === 401);
    await until('the session is rejected', async () => (await verify(bearer)) === 401);
    assert.ok(Date.now() - frozenMs < 1_000);
    const again = await logIn(rows[0].email);
    assert.match(again.text, /User is not activated.*19/);
    await until('the withdrawal is canceled', async () => {
      const { rows: requests } = await sandbox.admin.registry.query(
        'select state from withdrawal_requests where user_id = $1',
        [user],
      );
      return requests.length === 1 && requests[0].state === 'canceled';
    });
    const { status: exit, stderr, stdout } = unfreeze(user);
    assert.equal(exit, 0, stderr);
    assert.match(stdout, /is active again/);
    assert.equal((await mails(user)).at(-1), 'account_unfrozen');
    assert.equal((await logIn(rows[0].email)).status, 201, 'the owner logs in again');
    assert.equal((await client.get('/user')).status, 401, 'the key is still suspended');
    const old = await call('POST', '/user/freeze-account', { body: { token: oldToken } });
    assert.equal(old.status, 400, 'an earlier link');
    const reopened = await sandbox.admin.issueSession({ user });
    const headers = { authorization: `Bearer ${reopened.token}` };
    const { body } = await call('GET', '/orders', { headers });
    assert.deepEqual(
      body.data.map(({ status: state }: { status: string }) => state),
      ['canceled'],
    );
    const forged = await call('POST', '/user/freeze-account', { body: { token: `${token}x` } });
    assert.equal(forged.status, 400);
  });

  test('abuse 59: a flood of logins is rejected, but known devices and orders pass', async () => {
    const { email } = await newPerson();
    const from = '192.0.2.59';
    assert.equal((await logIn(email, { from })).status, 201);
    const flood = Array.from({ length: 150 }, (_, index) => logIn(`flood${index}@example.com`));
    const [{ key, secret }] = [sandbox.seeded.users.alice];
    const trader = new RestClient({ url: sandbox.url, key, secret });
    const [known, orders] = await Promise.all([logIn(email, { from }), trader.get('/orders')]);
    assert.equal(known.status, 201);
    assert.equal(orders.status, 200);
    const answers = await Promise.all(flood);
    const statuses = new Set(answers.map(({ status }) => status));
    assert.deepEqual([...statuses].sort(), [401, 503]);
    const full = answers.find(({ status }) => status === 503);
    assert.match(full?.text ?? '', /2304/);
    assert.ok(Number(full?.headers.get('retry-after')) > 0);
  });
});

function unfreeze(user: UserId) {
  const { folder, nats, postgres } = sandbox;
  return spawnSync(
    process.execPath,
    ['tools/keys/main.ts', 'user', 'unfreeze', '--user', `${user}`],
    {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        RIALTO_POSTGRES_URL: postgres.url,
        RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
        RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
        RIALTO_NATS_URLS: nats.urls.join(','),
      },
    },
  );
}

async function newPerson(): Promise<{ readonly email: string; readonly user: UserId }> {
  people += 1;
  const { registry, vault } = sandbox.admin;
  const made = await createUser(registry, { email: `person${people}@example.com` });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  await installPassword(registry, vault, made.id, tag);
  return { email: made.email, user: made.id };
}

/** Uses a new address unless the test specifies one. */
function logIn(email: string, { body, ...sent }: Sent = {}) {
  return call('POST', '/login', { body: { email, password: PASSWORD, ...body }, ...sent });
}

async function bearerOf(email: string): Promise<Record<string, string>> {
  const { body, status, text } = await logIn(email);
  assert.equal(status, 201, text);
  return { authorization: `Bearer ${body.token}` };
}

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, sent: Sent = {}) {
  const { body, from = newAddress(), headers = {} } = sent;
  const client = new RestClient({ url: sandbox.url });
  return client.send({
    method,
    target: `/v2${path}`,
    ...(body !== undefined && { body }),
    headers: { 'x-forwarded-for': from, ...headers },
  });
}

/** Address without a country. */
function newAddress(): string {
  addresses += 1;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
}

async function verify(headers: Readonly<Record<string, string>>): Promise<number> {
  return (await call('GET', '/verify-token', { headers })).status;
}

async function mails(user: UserId): Promise<readonly string[]> {
  const { rows } = await sandbox.admin.registry.query(
    'select kind from mail_outbox where user_id = $1 order by id',
    [user],
  );
  return rows.map(({ kind }) => kind as string);
}
