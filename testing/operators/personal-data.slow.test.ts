// Personal data in every administrator response, over HTTP: unmasked in solo mode for
// administrators, masked for other roles and in team mode, and unmasked for a key with that grant.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser, writePersonal } from '../../features/accounts/index.ts';
import { NO_PERSONAL_DATA } from '../../features/accounts/personal-data.ts';
import { useSolo, useTeam } from '../../features/approvals/operators-for-test.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { OperatorStage, type StagedOperator } from './operator-stage.ts';

const EMAIL = 'mara.example@people.example';
const MASKED_EMAIL = 'm•••@p•••.example';
const THRESHOLDS = { oneApprovalFrom: '1000', twoApprovalsFrom: '50000' };
const DOCUMENT = {
  ...NO_PERSONAL_DATA.idData,
  type: 'passport',
  number: 'X998877',
  note: 'blurred copy',
};

let stage: OperatorStage;
let mara: UserId;
let referred: UserId;
let admin: StagedOperator;
let supervisor: StagedOperator;
let transactions = 0;

type Method = 'GET' | 'POST' | 'PUT';
interface Read {
  readonly name: string;
  readonly method?: Method;
  readonly path: string;
  readonly what?: () => Readonly<Record<string, unknown>>;
  /** Supervisors cannot call it. */
  readonly isForAdmin?: true;
}

const ofMara = () => ({ user_id: mara });

const A_USER: Read = { name: 'a user', path: '/admin/users', what: () => ({ id: mara }) };
const A_CHANGE: Read = {
  name: 'a changed user',
  method: 'PUT',
  path: '/admin/user',
  what: () => ({ user_id: mara, nationality: 'CH' }),
};

const READS: readonly Read[] = [
  A_USER,
  A_CHANGE,
  { name: 'users', path: '/admin/users', what: () => ({ limit: 50 }) },
  { name: 'orders', path: '/admin/orders', what: ofMara },
  { name: 'deposits', path: '/admin/deposits', what: ofMara },
  { name: 'withdrawals', path: '/admin/withdrawals', what: ofMara },
  { name: 'wallets', path: '/admin/user/wallet', what: ofMara },
  { name: 'sessions', path: '/admin/user/sessions', what: ofMara },
  { name: 'the referrer', path: '/admin/user/referer', what: () => ({ user_id: referred }) },
  { name: 'referred users', path: '/admin/user/affiliation', what: () => ({ user_id: referred }) },
  { name: 'the search', path: '/admin/search', what: () => ({ q: EMAIL }) },
  {
    name: 'a credited deposit',
    method: 'POST',
    path: '/admin/mint',
    isForAdmin: true,
    what: () => {
      transactions += 1;
      return { user_id: mara, currency: 'eur', amount: 1, transaction_id: `clear-${transactions}` };
    },
  },
];

describe('personal data over HTTP', () => {
  before(async () => {
    stage = await OperatorStage.start(THRESHOLDS);
    mara = await newUser(EMAIL);
    referred = await newUser('other@people.example');
    admin = await stage.operator('admin');
    supervisor = await stage.operator('supervisor');
    await fill();
  });
  after(() => stage?.stop());

  for (const read of READS) {
    const { isForAdmin, name } = read;
    test(`${name}: unmasked only for administrators in solo mode`, async () => {
      const others = isForAdmin === true ? [] : [supervisor];
      await useSolo(stage.registry);
      for (const by of ['key', 'session'] as const) {
        assertSeen(await send(admin, by, read), EMAIL, `solo, admin, ${by}`);
        for (const other of others) {
          assertSeen(await send(other, by, read), MASKED_EMAIL, `solo, supervisor, ${by}`);
        }
      }
      await useTeam(stage.registry);
      for (const by of ['key', 'session'] as const) {
        for (const one of [admin, ...others]) {
          assertSeen(await send(one, by, read), MASKED_EMAIL, `team, ${one.role}, ${by}`);
        }
      }
      await grant(admin, true);
      assertSeen(await send(admin, 'key', read), EMAIL, 'team, key with the grant');
      assertSeen(await send(admin, 'session', read), MASKED_EMAIL, 'team, its session');
      await grant(admin, false);
    });
  }

  test('a user is complete in solo mode and has no made-up values in team mode', async () => {
    await useSolo(stage.registry);
    const clear = (await send(admin, 'key', A_USER)).body.data[0];
    assert.deepEqual(
      [clear.full_name, clear.phone_number, clear.gender, clear.dob, clear.note],
      ['Mara Exemplar', '+41449876543', true, '1990-05-18T00:00:00.000Z', 'calls often'],
    );
    assert.equal(clear.id_data.number, 'X998877');
    assert.equal(clear.id_data.note, 'blurred copy');
    assert.deepEqual(clear.crypto_wallet, { btc: 'btc-address', usdt: 'older-address' });
    await useTeam(stage.registry);
    const masked = (await send(supervisor, 'key', A_USER)).body.data[0];
    assert.deepEqual(
      [masked.full_name, masked.phone_number, masked.gender, masked.dob, masked.id_data.note],
      ['M. E.', '•••43', null, null, '•••'],
    );
  });

  test('sending back a masked gender and birthday keeps the stored values', async () => {
    await useTeam(stage.registry);
    const { body } = await send(supervisor, 'key', A_USER);
    const { dob, gender } = body.data[0];
    const what = () => ({ user_id: mara, dob, gender });
    const sent = await send(supervisor, 'key', { ...A_CHANGE, what });
    assert.equal(sent.status, 200, sent.text);
    await useSolo(stage.registry);
    const [after] = (await send(admin, 'key', A_USER)).body.data;
    assert.deepEqual([after.gender, after.dob], [true, '1990-05-18T00:00:00.000Z']);
    const change = { ...A_CHANGE, what: () => ({ user_id: mara, gender: false }) };
    assert.equal((await send(admin, 'key', change)).body.gender, false);
    const back = { ...A_CHANGE, what: () => ({ user_id: mara, gender: true }) };
    assert.equal((await send(admin, 'key', back)).body.gender, true);
  });

  test('files are unmasked without approval in solo mode; team mode requires one', async () => {
    const file = { name: 'a file', path: '/admin/users', what: () => ({ format: 'csv' }) };
    await useSolo(stage.registry);
    for (const by of ['key', 'session'] as const) {
      const { headers, text } = await send(admin, by, file);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      assert.ok(text.includes(EMAIL), text.slice(0, 500));
    }
    const all = await send(admin, 'key', { ...file, what: () => ({ format: 'all' }) });
    assert.equal(all.status, 200, all.text);
    assert.ok(all.text.includes(EMAIL));
    await useTeam(stage.registry);
    const { text } = await send(admin, 'session', file);
    assert.match(text, /Pending approval/);
    assert.ok(!text.includes(EMAIL));
  });

  test('each administrator call in solo mode adds one lookup row', async () => {
    await useSolo(stage.registry);
    for (const read of READS) {
      const known = await lookUps(admin.user);
      await send(admin, 'key', read);
      const added = (await lookUps(admin.user)).slice(known.length);
      assert.equal(added.length, 1, read.name);
      assert.ok(added[0].fields.includes('email'), read.name);
    }
  });

  test('staking pool accounts are listed only if requested by type', async () => {
    await useSolo(stage.registry);
    const { rows } = await stage.registry.query(
      `insert into users (email, username, affiliation_code, kind)
       values ('77@house.invalid', '77', 'HOUSE7', 'house') returning id`,
    );
    const house = Number(rows[0].id);
    const idsOf = async (what: Readonly<Record<string, unknown>>) => {
      const { body } = await send(admin, 'key', {
        name: '',
        path: '/admin/users',
        what: () => what,
      });
      return (body.data as { id: number }[]).map(({ id }) => id);
    };
    assert.ok(!(await idsOf({})).includes(house));
    assert.ok(!(await idsOf({ search: '77@house.invalid' })).includes(house));
    assert.deepEqual(await idsOf({ type: 'house' }), [house]);
    assert.deepEqual(await idsOf({ id: house }), [house]);
  });
});

function newUser(email: string): Promise<UserId> {
  return createUser(stage.registry, { email }).then((user) => {
    assert.ok(typeof user === 'object');
    return user.id;
  });
}

/** Inserts one row of everything that shows the user. */
async function fill(): Promise<void> {
  const { registry, sandbox } = stage;
  await writePersonal(registry, sandbox.admin.vault, mara, {
    fullName: 'Mara Exemplar',
    phoneNumber: '+41449876543',
    gender: true,
    dob: '1990-05-18T00:00:00.000Z',
    idData: DOCUMENT,
  });
  await registry.query(`update users set note = 'calls often' where id = $1`, [mara]);
  await registry.query(
    `insert into wallets (user_id, currency, network, address, is_valid) values
       ($1, 'btc', 'btc', 'btc-address', true), ($1, 'usdt', 'bnb', 'invalid-address', false),
       ($1, 'usdt', 'eth', 'older-address', true), ($1, 'usdt', 'trx', 'newer-address', true)`,
    [mara],
  );
  await refer(referred, mara, 'MARA01');
  await refer(mara, referred, 'OTHER1');
  const usdt = sandbox.seeded.assets.get('usdt');
  const eur = sandbox.seeded.assets.get('eur');
  assert.ok(usdt !== undefined && eur !== undefined);
  const amountAtoms = 500_000_000n as never;
  await sandbox.admin.credit({ user: mara, asset: usdt, amountAtoms, transactionId: 'mara-1' });
  await sandbox.admin.credit({ user: mara, asset: eur, amountAtoms, transactionId: 'mara-2' });
  const { key, secret } = await sandbox.admin.issueKey({ user: mara });
  const order = { symbol: 'btc-usdt', side: 'buy', size: 0.001, type: 'limit', price: 50_000 };
  const placed = await new RestClient({ url: sandbox.url, key, secret }).post('/order', order);
  assert.equal(placed.status, 200, placed.text);
  await sandbox.admin.issueSession({ user: mara });
  await useSolo(registry);
  const burnt = { user_id: mara, currency: 'eur', amount: 1, transaction_id: 'mara-burn' };
  const { status, text } = await adminKey().send('POST', '/admin/burn', burnt);
  assert.equal(status, 201, text);
}

async function refer(user: UserId, referrer: UserId, code: string): Promise<void> {
  await stage.registry.query(
    `with made as (
       insert into referral_codes (code, user_id, discount, earning_rate) values ($3, $2, 0, 10)
       returning code)
     insert into affiliations (user_id, referrer_id, code, earning_rate, discount, starts_at)
     select $1, $2, code, 10, 0, now() from made`,
    [user, referrer, code],
  );
}

function adminKey() {
  const client = admin.clients.find(({ by }) => by === 'key');
  assert.ok(client !== undefined);
  return client;
}

function send(operator: StagedOperator, by: 'key' | 'session', read: Read) {
  const client = operator.clients.find((one) => one.by === by);
  assert.ok(client !== undefined);
  return client.send(read.method ?? 'GET', read.path, read.what?.() ?? {});
}

function assertSeen(
  { status, text }: { readonly status: number; readonly text: string },
  email: string,
  where: string,
): void {
  assert.ok(status === 200 || status === 201, `${where}: ${text}`);
  const [shown, hidden] = email === EMAIL ? [EMAIL, MASKED_EMAIL] : [MASKED_EMAIL, EMAIL];
  assert.ok(text.includes(shown), `${where}: ${text.slice(0, 400)}`);
  assert.ok(!text.includes(hidden), `${where}: ${text.slice(0, 400)}`);
}

async function grant({ user }: StagedOperator, isGranted: boolean): Promise<void> {
  await stage.registry.query(
    isGranted
      ? `insert into key_grants (key_id, may_read_personal, granted_by)
         select id, true, user_id from api_keys where user_id = $1`
      : 'delete from key_grants where granted_by = $1',
    [user],
  );
}

async function lookUps(operator: UserId): Promise<{ fields: string[] }[]> {
  const { rows } = await stage.registry.query(
    'select fields from data_lookups where operator_id = $1 order by id',
    [operator],
  );
  return rows as { fields: string[] }[];
}
