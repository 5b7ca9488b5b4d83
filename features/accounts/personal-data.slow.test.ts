// Tests personal data on a real server: merged writes, rows only where there is data, and an
// erasure that no later write undoes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { SealFault, Vault } from '../../platform/vault/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { eraseUser, listUsersToErase } from './erasure.ts';
import { NO_PERSONAL_DATA, readPersonal, writePersonal } from './personal-data.ts';
import { createPersonalKey, destroyPersonalKey } from './personal-keys.ts';
import { createUser } from './users.ts';

const SCHEMA = 'registry';
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));

let postgres: PostgresForTest;
let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};

describe('personal data', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
  });
  after(() => stop());

  test('a user without data has no rows and the default values', async () => {
    const user = await newUser('none');
    assert.deepEqual(await readPersonal(connection, vault, user), NO_PERSONAL_DATA);
    assert.deepEqual(await rowsOf(user), { keys: 0, versions: [] });
  });

  test('a write keeps the fields of earlier writes and increments the version', async () => {
    const user = await newUser('ann');
    const address = { city: 'Basel', address: 'Rheinweg 7', country: 'CH', postal_code: '4001' };
    await writePersonal(connection, vault, user, { fullName: 'Ann Example', address });
    await writePersonal(connection, vault, user, { dob: '1990-02-03T00:00:00.000Z' });
    const expected = { fullName: 'Ann Example', address, dob: '1990-02-03T00:00:00.000Z' };
    assert.deepEqual(await readPersonal(connection, vault, user), {
      ...NO_PERSONAL_DATA,
      ...expected,
    });
    assert.deepEqual(await rowsOf(user), { keys: 1, versions: [2] });
  });

  test('two concurrent writers both keep their fields', async () => {
    const user = await newUser('both');
    const other = await postgres.session(SCHEMA);
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        writePersonal(connection, vault, user, { fullName: `name ${round}` }),
        writePersonal(other, vault, user, { phoneNumber: `+41 ${round}` }),
      ]);
      const { fullName, phoneNumber } = await readPersonal(connection, vault, user);
      assert.deepEqual([fullName, phoneNumber], [`name ${round}`, `+41 ${round}`]);
    }
    assert.deepEqual(await rowsOf(user), { keys: 1, versions: [40] });
  });

  test('data of another user or an older version cannot be opened', async () => {
    const [one, other] = [await newUser('one'), await newUser('other')];
    await writePersonal(connection, vault, one, { fullName: 'One' });
    await writePersonal(connection, vault, other, { fullName: 'Other' });
    await copyRow('personal_data', 'sealed', one, other);
    await assert.rejects(readPersonal(connection, vault, other), SealFault);
    await copyRow('personal_keys', 'sealed', one, other);
    await assert.rejects(readPersonal(connection, vault, other), SealFault);
    await connection.query('update personal_data set version = 2 where user_id = $1', [one]);
    await assert.rejects(readPersonal(connection, vault, one), SealFault);
  });

  test("nothing is sealed with another user's key", async () => {
    const [one, other] = [await newUser('owner'), await newUser('borrower')];
    await createPersonalKey(connection, vault, one);
    await createPersonalKey(connection, vault, other);
    await copyRow('personal_keys', 'sealed', one, other);
    await assert.rejects(writePersonal(connection, vault, other, { fullName: 'X' }), SealFault);
  });

  test('after the key is destroyed, nothing can be read or written', async () => {
    const user = await newUser('gone');
    await writePersonal(connection, vault, user, { fullName: 'Gone' });
    await destroyPersonalKey(connection, user);
    await destroyPersonalKey(connection, user);
    assert.deepEqual(await readPersonal(connection, vault, user), NO_PERSONAL_DATA);
    const refused = await writePersonal(connection, vault, user, { fullName: 'Back' });
    assert.equal(refused, 'personal_data_erased');
    assert.deepEqual(await rowsOf(user), { keys: 1, versions: [] });
  });

  test('a write blocked by an erasure is rejected', async () => {
    const user = await newUser('race');
    const other = await postgres.session(SCHEMA);
    await writePersonal(connection, vault, user, { fullName: 'Race' });
    await connection.query('begin');
    await destroyPersonalKey(connection, user);
    const written = writePersonal(other, vault, user, { fullName: 'Late' });
    await connection.query('commit');
    assert.equal(await written, 'personal_data_erased');
    assert.deepEqual(await rowsOf(user), { keys: 1, versions: [] });
  });

  test('only a closed account is erased, when its retention ends', async () => {
    const user = await newUser('closing');
    assert.equal(await eraseUser(connection, user), 'user_not_closed');
    assert.equal(await eraseUser(connection, 999_999 as UserId), 'user_unknown');
    await connection.query(
      `update users set state = 'closed', state_since = '2020-01-01' where id = $1`,
      [user],
    );
    const due = (closedBefore: string) =>
      listUsersToErase(connection, { closedBefore: new Date(closedBefore), limit: 10 });
    assert.deepEqual(await due('2019-12-31'), []);
    assert.deepEqual(await due('2020-01-02'), [user]);
    assert.equal(await eraseUser(connection, user), 'erased');
    assert.equal(await eraseUser(connection, user), 'erased');
    assert.deepEqual(await due('2020-01-02'), []);
  });
});

async function newUser(name: string): Promise<UserId> {
  const user = await createUser(connection, { email: `${name}@example.com` });
  assert.ok(typeof user === 'object');
  return user.id;
}

async function rowsOf(user: UserId): Promise<{ keys: number; versions: number[] }> {
  const keys = await connection.query('select from personal_keys where user_id = $1', [user]);
  const data = await connection.query('select version from personal_data where user_id = $1', [
    user,
  ]);
  return { keys: keys.rowCount ?? 0, versions: data.rows.map(({ version }) => Number(version)) };
}

async function copyRow(table: string, column: string, from: UserId, to: UserId): Promise<void> {
  await connection.query(
    `update ${table} set ${column} = (select ${column} from ${table} where user_id = $1)
     where user_id = $2`,
    [from, to],
  );
}
