// Bribed support staff, over HTTP: they find users one by one, see masks, download nothing, and
// have a limit on lookups. Only a reveal shows the named fields of one user.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser, writePersonal } from '../../features/accounts/index.ts';
import { NO_PERSONAL_DATA } from '../../features/accounts/personal-data.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { activateTotp, requestTotp, totpCode } from '../../features/auth/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

const EMAIL = 'mara.example@people.example';
const NAME = 'Mara Exemplar';
const PHONE = '+41 44 987 65 43';
/** No response to support can contain any of them. */
const SECRETS = [EMAIL, NAME, 'Exemplar', '987', 'X998877'];

let sandbox: Sandbox;
let mara: UserId;
let other: UserId;

describe('users over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({});
    await useTeam(sandbox.admin.registry);
    mara = await newUser(EMAIL);
    other = await newUser('other@people.example');
    const { registry, vault } = sandbox.admin;
    await writePersonal(registry, vault, mara, {
      fullName: NAME,
      phoneNumber: PHONE,
      idData: { ...NO_PERSONAL_DATA.idData, number: 'X998877', status: 1 },
    });
  });
  after(() => sandbox?.stop());

  test('abuse 49: support sees masks, finds no partial matches, downloads nothing', async () => {
    const support = await newOperator('support');
    const found: readonly string[] = [`id=${mara}`, `search=${EMAIL}`, `email=${EMAIL}`];
    for (const query of found) {
      const { body, status, text } = await support.get(`/v2/admin/users?${query}`);
      assert.equal(status, 200, text);
      const [user] = (body as { data: Record<string, unknown>[] }).data;
      assert.deepEqual([user.id, user.email], [mara, 'm•••@p•••.example'], query);
      assert.deepEqual([user.full_name, user.phone_number], ['M. E.', '•••43'], query);
      assert.deepEqual(
        SECRETS.filter((secret) => text.includes(secret)),
        [],
        query,
      );
    }
    const wide = ['', 'full_name=mara', `id=${mara}&full_name=mara`, 'pending=true', 'limit=50'];
    for (const query of wide) {
      const { status, text } = await support.get(`/v2/admin/users?${query}`);
      assert.equal(status, 403, `${query}: ${text}`);
    }
    const part = await support.get('/v2/admin/users?search=people.exam');
    assert.match(part.text, /^\{"count":0,/);
    for (const path of ['/v2/admin/users/csv', `/v2/admin/users?id=${mara}&format=all`]) {
      assert.equal((await support.get(path)).status, 403, path);
    }
  });

  test('abuse 49: the 61st lookup within an hour is rejected', async () => {
    const support = await newOperator('support');
    const statuses: number[] = [];
    for (let at = 0; at < 61; at++) {
      const one = await newUser(`many${at}@people.example`);
      statuses.push((await support.get(`/v2/admin/users?id=${one}`)).status);
    }
    assert.deepEqual(statuses, [...Array(60).fill(200), 429]);
    // Lists of additional users count too.
    const orders = await support.get(`/v2/admin/orders?user_id=${other}`);
    assert.equal(orders.status, 429, orders.text);
  });

  test('abuse 49: support reads rows of one user, never of all users', async () => {
    const support = await newOperator('support');
    const lists = ['orders', 'trades', 'deposits', 'withdrawals', 'logins', 'user/wallet'];
    for (const list of [...lists, 'user/referral/code']) {
      const all = await support.get(`/v2/admin/${list}?limit=50`);
      assert.deepEqual([all.status, all.body?.code], [403, 2648], `${list}: ${all.text}`);
      const one = await support.get(`/v2/admin/${list}?user_id=${mara}`);
      assert.equal(one.status, 200, `${list}: ${one.text}`);
    }
    const { rows } = await sandbox.admin.registry.query(
      `select counts, count(*)::int from data_lookups where subject_id = $1 and operator_id = $2
       group by counts order by counts`,
      [mara, support.user],
    );
    assert.deepEqual(rows, [
      { counts: false, count: 6 },
      { counts: true, count: 1 },
    ]);
  });

  test('abuse 49: filters do not confirm masked values', async () => {
    const manager = await newOperator('manager');
    const guesses = [
      `id=${mara}&gender=true`,
      `search=${EMAIL}&dob_start_date=1990-01-01`,
      'start_date=2020-01-01&nationality=CH',
      // Letter by letter.
      `id=${mara}&email=mara.`,
      `id=${mara}&username=mar`,
      `search=${mara}&email=mara.`,
    ];
    for (const guess of guesses) {
      const { body, status, text } = await manager.get(`/v2/admin/users?${guess}`);
      assert.deepEqual([status, body?.code], [403, 2649], text);
    }
    assert.equal((await manager.get('/v2/admin/users?nationality=CH')).status, 200);
  });

  test('abuse 49: each export leaves an entry; the auditor exports only money lists', async () => {
    const auditor = await newOperator('auditor');
    const money = ['/v2/admin/balances/csv', '/v2/admin/orders?format=all&symbol=btc-usdt'];
    for (const path of money) assert.ok((await auditor.get(path)).status < 300, path);
    const personal = ['users/csv', 'logins/csv', 'user/sessions/csv', 'users?format=all'];
    for (const path of personal) {
      const { body, status, text } = await auditor.get(`/v2/admin/${path}`);
      assert.deepEqual([status, body?.code], [403, 2609], `${path}: ${text}`);
    }
    const { rows } = await sandbox.admin.registry.query(
      `select object, after - 'export' as after from audit_entries
       where actor_id = $1 and act = 'list.export' order by seq`,
      [auditor.user],
    );
    assert.deepEqual(rows, [
      { object: 'list balances', after: { format: 'csv', filters: {} } },
      { object: 'list orders', after: { format: 'all', filters: { symbol: 'btc-usdt' } } },
    ]);
  });

  test('kyc sees a user with a pending review unmasked, but not a list', async () => {
    const kyc = await newOperator('kyc');
    const one = await kyc.get(`/v2/admin/users?id=${mara}`);
    assert.ok(one.text.includes(NAME) && one.text.includes(EMAIL), one.text);
    const list = await kyc.get('/v2/admin/users?pending=true&pending_type=id');
    assert.equal(list.status, 200);
    assert.ok(!list.text.includes(NAME) && list.text.includes('M. E.'), list.text);
    const notWaiting = await kyc.get(`/v2/admin/users?id=${other}`);
    assert.ok(!notWaiting.text.includes('other@people.example'));
  });

  test('abuse 49: kyc cannot unmask a user by opening the review', async () => {
    const kyc = await newOperator('kyc');
    const [ann, bob] = [
      await newUser('ann.a@people.example'),
      await newUser('bob.b@people.example'),
    ];
    const { registry, vault } = sandbox.admin;
    for (const user of [ann, bob]) await writePersonal(registry, vault, user, { fullName: NAME });
    const secrets = [NAME, 'ann.a@people.example', 'bob.b@people.example', '0123456789'];
    const account = { bank_name: 'Bank', account_number: '0123456789', status: 1 };
    const entered = await kyc.post(`/v2/admin/user/bank?id=${ann}`, { bank_account: [account] });
    assert.equal(entered.status, 200, entered.text);
    const pending = await kyc.put(`/v2/admin/user?user_id=${bob}`, { id_data: { status: 1 } });
    assert.equal(pending.status, 200, pending.text);
    for (const answer of [
      entered,
      pending,
      await kyc.get(`/v2/admin/users?id=${ann}`),
      await kyc.get(`/v2/admin/users?id=${bob}`),
    ]) {
      assert.deepEqual(
        secrets.filter((secret) => answer.text.includes(secret)),
        [],
      );
    }
    // Another operator reviews both.
    const other = await newOperator('kyc');
    for (const user of [ann, bob]) {
      assert.ok((await other.get(`/v2/admin/users?id=${user}`)).text.includes(NAME));
    }
  });

  test('abuse 49: every role that reads users has an hourly and a daily budget', async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select name from roles
       where name <> 'admin' and (lookups_per_hour is null or lookups_per_day is null)`,
    );
    assert.deepEqual(rows, []);
  });

  test('abuse 50: even an administrator needs a reveal to see one field', async () => {
    const admin = await newOperator('admin');
    const read = (id: UserId) => admin.get(`/v2/admin/users?id=${id}`);
    assert.ok(!(await read(mara)).text.includes(NAME));
    const body = {
      user_id: mara,
      fields: ['full_name'],
      reason: 'the court asks for the name',
      ticket: 'T-7',
    };
    const without = await admin.post('/v2/admin/reveal', { ...body, otp_code: '' });
    assert.equal(without.status, 400, without.text);
    const otp_code = totpCode(admin.secret, Date.now());
    const revealed = await admin.post('/v2/admin/reveal', { ...body, otp_code });
    assert.equal(revealed.status, 200, revealed.text);
    const { text } = await read(mara);
    assert.ok(text.includes(NAME) && !text.includes(EMAIL), text);
    assert.ok(!(await read(other)).text.includes('other@people.example'));
    const list = await admin.get('/v2/admin/users?full_name=mara');
    assert.equal(list.status, 200);
    assert.ok(!list.text.includes(NAME));
  });
});

interface OperatorOverHttp {
  readonly user: UserId;
  readonly secret: string;
  get(target: string): Promise<RestAnswer>;
  post(target: string, body: Readonly<Record<string, unknown>>): Promise<RestAnswer>;
  put(target: string, body: Readonly<Record<string, unknown>>): Promise<RestAnswer>;
}

let operators = 0;

/** Creates an operator with a second factor and a login session. */
async function newOperator(role: string): Promise<OperatorOverHttp> {
  operators += 1;
  const { registry, vault } = sandbox.admin;
  const user = await newUser(`operator${operators}@people.example`, role);
  const before = Date.now() - 120_000;
  const requested = await requestTotp(registry, vault, { user, nowMs: before });
  assert.ok(!(requested instanceof Refused));
  const { secret } = requested;
  await activateTotp(registry, vault, { user, code: totpCode(secret, before), nowMs: before });
  const { token } = await sandbox.admin.issueSession({ user, scopes: ['user', role] });
  const headers = { authorization: `Bearer ${token}` };
  const client = new RestClient({ url: sandbox.url });
  return {
    user,
    secret,
    get: (target) => client.send({ method: 'GET', target, headers }),
    post: (target, body) => client.send({ method: 'POST', target, body, headers }),
    put: (target, body) => client.send({ method: 'PUT', target, body, headers }),
  };
}

async function newUser(email: string, role?: string): Promise<UserId> {
  const made = await createUser(sandbox.admin.registry, {
    email,
    ...(role !== undefined && { role }),
  });
  assert.ok(typeof made === 'object', String(made));
  return made.id;
}
