// A stolen registry dump contains no readable secrets or personal data. After an erasure, not even
// the key file makes the user's data readable.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import {
  createUser,
  eraseUser,
  readPersonal,
  writePersonal,
} from '../../features/accounts/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import { type PostgresForTest, startPostgresForTest } from '../projections/postgres-for-test.ts';
import { dumpSchema, readableValues } from './dump-search.ts';
import {
  PERSONAL,
  plantBanks,
  plantFlows,
  plantRequests,
  plantSecrets,
  REQUEST_TRACES,
  TRACES,
} from './planted-person.ts';

const SCHEMA = 'registry';
const KEY = Buffer.alloc(32, 3);
const vault = new Vault(new Map([[1, KEY]]));
const CLEAR_BY_DESIGN = { email: 'planted.login@example.com', username: 'planted.login' };

let postgres: PostgresForTest;
let connection: OwnConnection;
let user: UserId;
let secrets: Record<string, string | Uint8Array>;
let stop: () => Promise<void> = async () => {};

describe('a registry dump', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
    const created = await createUser(connection, { email: CLEAR_BY_DESIGN.email });
    assert.ok(typeof created === 'object');
    user = created.id;
    const planted = await plantSecrets(connection, vault, user);
    const flows = await plantFlows(connection, vault, { user, email: CLEAR_BY_DESIGN.email });
    secrets = { ...planted, ...flows, ...(await plantBanks(connection, vault, user)) };
    const other = await createUser(connection, { email: 'other@example.com' });
    assert.ok(typeof other === 'object');
    await plantRequests(connection, { user, email: CLEAR_BY_DESIGN.email, other: other.id });
  });
  after(() => stop());

  test('the search finds a value in each encoding', () => {
    const value = 'Wilhelmina Plantagenet';
    const inside = (text: string) => Buffer.from(`{"a":"${'x'.repeat(7)}${text}"}`);
    const found = (text: string) => readableValues(text, { value }).length > 0;
    for (let at = 0; at < 3; at++) {
      const bytes = inside('y'.repeat(at) + value);
      assert.ok(found(`\\x${bytes.toString('hex')}`), 'hex');
      assert.ok(found(bytes.toString('base64')), 'base64');
      assert.ok(found(bytes.toString('base64url')), 'base64url');
    }
    assert.ok(found('name WILHELMINA PLANTAGENET'));
    assert.ok(!found('Wilhelmina Planta'));
    assert.deepEqual(readableValues("'2026-01-01 00:00:00.123456+00'", { code: '123456' }), []);
    assert.deepEqual(readableValues('\t123456\t', { code: '123456' }), ['code (clear)']);
  });

  test('the dump shows no secrets, codes or personal data', async () => {
    const dump = await dumpSchema(postgres.server.url, SCHEMA);
    assert.deepEqual(readableValues(dump, secrets), []);
    assert.deepEqual(readableValues(dump, { key: KEY }), []);
    // The search does find values that are unencrypted by design.
    assert.deepEqual(readableValues(dump, { ...CLEAR_BY_DESIGN, ...TRACES, ...REQUEST_TRACES }), [
      'email (clear)',
      'username (clear)',
      'ip (clear)',
      'userAgent (clear)',
      'country (clear)',
      'knownCountry (clear)',
      'description (clear)',
    ]);
    console.log({ valuesSearched: Object.keys(secrets).length, dumpBytes: dump.length, found: 0 });
  });

  test('abuse 58: an erased user remains erased, even if old rows are restored', async () => {
    assert.deepEqual(await readPersonal(connection, vault, user), PERSONAL);
    const [row] = (await connection.query('select * from personal_data where user_id = $1', [user]))
      .rows;
    await connection.query(`update users set state = 'closed' where id = $1`, [user]);
    assert.equal(await eraseUser(connection, user), 'erased');

    const dump = await dumpSchema(postgres.server.url, SCHEMA);
    const traces = { ...CLEAR_BY_DESIGN, ...TRACES, ...REQUEST_TRACES };
    assert.deepEqual(readableValues(dump, { ...secrets, ...traces }), []);
    // The decision can still be explained, and other users' requests lose nothing else.
    const requests = await connection.query(
      `select address, description, policy_input -> 'countWithinHour' as count,
         policy_lines -> 0 ->> 'rule' as first, jsonb_array_length(policy_lines) as lines
       from withdrawal_requests order by id`,
    );
    const decided = { count: 3, first: 'new_country', lines: 2 };
    assert.deepEqual(requests.rows, [
      { address: 'an address', description: '', ...decided },
      { address: `erased-${user}@invalid`, description: 'of another person', ...decided },
    ]);
    const kept = await connection.query('select state, email, username from users where id = $1', [
      user,
    ]);
    const erased = { state: 'erased', email: `erased-${user}@invalid`, username: `erased-${user}` };
    assert.deepEqual(kept.rows, [erased]);

    // A copy of the data is restored, but not its key.
    await connection.query(
      'insert into personal_data (user_id, version, sealed) values ($1, $2, $3)',
      [user, row.version, row.sealed],
    );
    assert.equal((await readPersonal(connection, vault, user)).fullName, '');
    const written = await writePersonal(connection, vault, user, { fullName: 'Back' });
    assert.equal(written, 'personal_data_erased');
  });

  test('an erasure keeps only rows that money or counts need', async () => {
    const tables = await connection.query(
      `select table_name from information_schema.columns
       where table_schema = $1 and column_name = 'user_id' and table_name <> 'logins_default'
       order by 1`,
      [SCHEMA],
    );
    const left: string[] = [];
    for (const { table_name: table } of tables.rows) {
      const { rowCount } = await connection.query(`select from ${table} where user_id = $1`, [
        user,
      ]);
      if (rowCount !== 0) left.push(table);
    }
    assert.deepEqual(left, [
      'api_keys',
      'deposit_requests',
      'logins',
      'personal_data',
      'personal_keys',
      'sessions',
      'transfer_changes',
      'withdrawal_requests',
    ]);
    const live = await connection.query(
      `select (select count(*) from api_keys where user_id = $1 and (active or not revoked))
         + (select count(*) from sessions where user_id = $1 and revoked_at is null) as count`,
      [user],
    );
    assert.equal(live.rows[0].count, '0');
  });
});
