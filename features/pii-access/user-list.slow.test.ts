// Tests the user list on a real server: each filter and each kind of search finds exactly the
// expected users, and all agree with a simple search of the opened data.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { createUser, writePersonal } from '../accounts/index.ts';
import { NO_PERSONAL_DATA } from '../accounts/personal-data.ts';
import { addBankAccount } from '../payments/banks/bank-accounts.ts';
import { personOf, readPerson } from './personal-record.ts';
import { type UserFilter, type UserSearch, userList } from './user-list.ts';

const SCHEMA = 'registry';
const PROJECTION = 'rialto';
const KEY = 'ab'.repeat(20);
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));

let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};
const ids = new Map<string, UserId>();

describe('user list', () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    const projection = await postgres.session(PROJECTION);
    await migrate(projection, PROJECTION, readProjectionMigrations());
    connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
    await plant();
  });
  after(() => stop());

  const filters: readonly [filter: UserFilter, found: string][] = [
    [{}, 'sub eve bob ann'],
    [{ email: 'ANN@' }, 'ann'],
    [{ email: 'example' }, 'eve bob ann'],
    [{ email: 'ex_mple' }, ''],
    [{ username: 'eve' }, 'eve'],
    [{ username: 'ev' }, ''],
    [{ kind: 'sub' }, 'sub'],
    [{ name: 'mar gonz' }, 'ann'],
    [{ name: '!' }, ''],
    [{ bornFrom: new Date('1990-02-03'), bornTo: new Date('1990-02-03') }, 'ann'],
    [{ bornFrom: new Date('1980-01-01') }, 'ann'],
    [{ bornFrom: new Date('1800-01-01') }, 'bob ann'],
    [{ bornTo: new Date('1980-01-01') }, 'bob'],
    [{ document: 'x 123-456' }, 'ann'],
    [{ gender: true }, 'ann'],
    [{ gender: false }, 'sub eve bob'],
    [{ nationality: 'ch' }, 'ann'],
    [{ phone: '+41 (44) 123 45 67' }, 'ann'],
    [{ verificationLevel: 2 }, 'sub bob'],
    [{ isEmailVerified: false }, 'eve'],
    [{ isActive: true, kind: 'person' }, 'bob ann'],
    [{ hasOtp: true }, 'bob'],
    [{ hasOtp: false, kind: 'person' }, 'eve ann'],
    [{ documentStatus: 1 }, 'ann'],
    [{ documentStatus: 0, kind: 'person' }, 'eve bob'],
    [{ bankStatus: 'pending' }, 'bob'],
    [{ bankStatus: 'empty', kind: 'person' }, 'eve ann'],
    [{ pending: 'document' }, 'ann'],
    [{ pending: 'bank' }, 'bob'],
    [{ pending: 'any' }, 'bob ann'],
    [{ from: new Date('2026-02-01') }, 'sub eve'],
    [{ from: new Date('2026-01-01'), to: new Date('2026-02-01') }, 'bob'],
  ];
  for (const [filter, found] of filters) {
    test(`${JSON.stringify(filter)} finds '${found}'`, async () => {
      assert.equal(await find(filter), found);
      assert.equal(await countOf(filter), found === '' ? 0 : found.split(' ').length);
    });
  }

  const searches: readonly [what: string, text: string, exact: string, wide: string][] = [
    ['an email address', 'Ann@Example.com', 'ann', 'ann'],
    ['part of an email address', 'nn@exam', '', 'ann'],
    ['a short part', 'nn', '', ''],
    ['words of a name', 'gonz ann', '', 'ann'],
    ['a phone number', '0041 44 123 45 67', '', 'ann'],
    ['a document number', 'X123456', '', 'ann'],
    ['a deposit address', 'bc1qbob', 'bob', 'bob'],
    ['part of a deposit address', 'bc1q', '', ''],
    ['a transaction of a deposit', 'tx-of-eve', 'eve', 'eve'],
    ['an API key', KEY, 'eve', 'eve'],
    ['nobody', 'no match', '', ''],
  ];
  for (const [what, text, exact, wide] of searches) {
    test(`search by ${what}: '${text}'`, async () => {
      assert.equal(await find({ search: { text } }, true), exact, 'exact');
      assert.equal(await find({ search: { text } }), wide, 'with parts');
    });
  }

  test('search finds the ID of a user and of an order', async () => {
    const bob = ids.get('bob');
    assert.equal(await find({ search: { text: `${bob}` } }, true), 'bob');
    const search: UserSearch = { text: 'an order id', orderNumber: 7 };
    assert.equal(await find({ search }, true), 'eve');
    assert.equal(await find({ search: { ...search, orderNumber: 8 } }, true), '');
  });

  test('an exact email filter does not match part of an address', async () => {
    assert.equal(await find({ email: 'ann' }, true), '');
    assert.equal(await find({ email: 'ann@example.com' }, true), 'ann');
  });

  test('a partial search finds the same users as a naive search', async () => {
    const { rows } = await connection.query('select email, username from users order by id desc');
    for (const part of ['exa', 'ple.c', 'bob', '.com', 'e.co', 'xyz', '%%%', 'b@e']) {
      const naive = rows.filter(({ email, username }) => `${email} ${username}`.includes(part));
      const { length } = naive;
      const found = await find({ search: { text: part } });
      assert.equal(found === '' ? 0 : found.split(' ').length, length, part);
    }
  });

  test('a very common part finds the newest users; a rare one the oldest too', async () => {
    await connection.query('begin');
    await connection.query(
      `insert into users (email, username, affiliation_code)
       select 'crowd' || i || '@mass.test', 'crowd' || i, 'C' || upper(lpad(to_hex(i), 5, '0'))
       from generate_series(1, 20100) i`,
    );
    assert.equal(await countOf({ search: { text: 'crowd' } }), 1_000);
    assert.equal(await countOf({ search: { text: 'crowd2010' } }), 2, '2010 and 20100');
    assert.equal(await find({ search: { text: 'ann@' } }), 'ann');
    await connection.query('rollback');
  });

  test('a user is read with the opened data, or not at all', async () => {
    const person = await readPerson(connection, vault, ids.get('ann')!);
    assert.equal(person?.personal.fullName, 'Anna María Gonzalez');
    assert.deepEqual(person?.reviewsOpenedBy, [null]);
    const bob = await readPerson(connection, vault, ids.get('bob')!);
    assert.deepEqual(
      bob?.banks.map(({ fields }) => fields),
      [{ account_number: '99887' }],
    );
    assert.equal(await readPerson(connection, vault, 9_999 as UserId), undefined);
  });
});

async function find(filter: UserFilter, isExact = false): Promise<string> {
  const list = userList(vault, { filter, isExact, projectionSchema: PROJECTION });
  const order = `order by ${list.defaultSort.map((column) => `${column} desc`).join(', ')}`;
  const { rows } = await connection.query(list.rows(order), [...list.values, 50, 0]);
  const names = rows.map((row) => nameOf(personOf(vault, row).user.id));
  return names.join(' ');
}

async function countOf(filter: UserFilter): Promise<number> {
  const list = userList(vault, { filter, isExact: false, projectionSchema: PROJECTION });
  const { rows } = await connection.query(list.count, [...list.values, 100_000]);
  return Number(rows[0].count);
}

function nameOf(id: UserId): string {
  return [...ids].find(([, one]) => one === id)?.[0] ?? `${id}`;
}

/** Ann has a pending document, Bob a pending bank account; Eve is unverified; one sub-account. */
async function plant(): Promise<void> {
  for (const name of ['ann', 'bob', 'eve']) {
    const user = await createUser(connection, { email: `${name}@example.com` });
    assert.ok(typeof user === 'object');
    ids.set(name, user.id);
  }
  const [ann, bob, eve] = [...ids.values()];
  const run = (statement: string, values: unknown[]) => connection.query(statement, values);
  const { rows } = await run(
    `insert into users (email, username, affiliation_code, kind, parent_id)
     values ('sub@sub.invalid', 'sub', 'SUBSUB', 'sub', $1) returning id`,
    [bob],
  );
  ids.set('sub', Number(rows[0].id) as UserId);
  await writePersonal(connection, vault, ann, {
    fullName: 'Anna María Gonzalez',
    phoneNumber: '+41 44 123 45 67',
    dob: '1990-02-03T00:00:00.000Z',
    gender: true,
    nationality: 'CH',
    idData: { ...NO_PERSONAL_DATA.idData, number: 'X-123 456', status: 1 },
  });
  await writePersonal(connection, vault, bob, { dob: '1970-01-01T00:00:00.000Z' });
  const fields = { account_number: '99887' };
  assert.ok(Array.isArray(await addBankAccount(connection, vault, { user: bob, fields })));
  await run(`update users set state = 'unverified' where id = $1`, [eve]);
  await run('update users set verification_level = 2 where id = $1', [bob]);
  await run(
    `insert into totp_secrets (user_id, kek_id, sealed_secret, state, created_at)
     values ($1, 1, 'x', 'active', now())`,
    [bob],
  );
  for (const [user, month] of [
    [ann, '2025-12'],
    [bob, '2026-01'],
    [eve, '2026-02'],
  ] as const) {
    await run('update users set created_at = $2 where id = $1', [user, `${month}-15`]);
  }
  await run(
    `insert into wallets (user_id, currency, address, network)
     values ($1, 'btc', 'bc1qbob', 'btc')`,
    [bob],
  );
  await run(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       transaction_id, state) values ('deposit', $1, 1, 'btc', 8, 5, 'a', 'tx-of-eve', 'pending')`,
    [eve],
  );
  await run(
    `insert into api_keys (user_id, name, public_key, kind, sealed, kek_id, expires_at)
     values ($1, 'bot', $2, 'hmac', 'x', 1, now())`,
    [eve, KEY],
  );
  await run(`create table ${PROJECTION}.all_orders partition of ${PROJECTION}.orders default`, []);
  await run(
    `insert into ${PROJECTION}.orders
     values (7, $1, 1, 1, 'buy', 'limit', 'GTC', 'off', false, false, 1, 1, 0, 0, 0, 0, 0, 0, 'new',
       null, '', '', now(), 1, null, now(), 1)`,
    [eve],
  );
}
