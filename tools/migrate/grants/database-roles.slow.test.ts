// Compares the roles' rights with the catalog of a migrated database.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import type { JobContext } from '../../../platform/jobs/index.ts';
import { JOBS } from '../../../services/notifier/jobs.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { applyGrants, hasRoles, LOGIN_ROLES, RoleFault, roleName } from './apply-grants.ts';
import {
  COLUMN_GRANTS,
  type DatabaseRole,
  FUNCTION_GRANTS,
  PROJECTION_GRANTS,
  REGISTRY_GRANTS,
  ROW_ROLES,
} from './grants.ts';

const SCHEMAS = {
  projectionSchema: 'projected',
  registrySchema: 'registry',
  rolePrefix: 'tested',
} as const;

let postgres: PostgresForTest;
let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};

describe('PostgreSQL roles', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session('registry');
    await migrate(connection, 'projected', readProjectionMigrations());
    await migrate(connection, 'registry', readRegistryMigrations());
    assert.equal(await hasRoles(connection, 'tested'), false);
    await applyGrants(connection, SCHEMAS);
    await applyGrants(connection, SCHEMAS);
    assert.equal(await hasRoles(connection, 'tested'), true);
  });
  after(() => stop());

  test('every table in both schemas has a row, and there are no other rows', async () => {
    const named = { registry: REGISTRY_GRANTS, projected: PROJECTION_GRANTS };
    for (const [schema, grants] of Object.entries(named)) {
      const { rows } = await connection.query(
        `select relname as name from pg_class where relnamespace = $1::regnamespace
           and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition order by relname`,
        [schema],
      );
      const tables = rows.map(({ name }) => name);
      assert.deepEqual(tables, Object.keys(grants).sort(), `a grant for each table of ${schema}`);
    }
  });

  test('each role has exactly the rights in its column', async () => {
    const found = await connection.query(
      `select grantee, table_schema || '.' || table_name as table,
         string_agg(privilege_type, ' ' order by privilege_type) as rights
       from information_schema.role_table_grants
       where grantee like 'tested\\_%'
         and grantee not in ('tested_projector', 'tested_gateway_identity') group by 1, 2`,
    );
    const rights = new Map(found.rows.map((row) => [`${row.grantee} ${row.table}`, row.rights]));
    const words = { r: 'SELECT', a: 'INSERT', w: 'UPDATE', d: 'DELETE' } as const;
    let compared = 0;
    for (const [schema, grants] of [
      ['registry', REGISTRY_GRANTS],
      ['projected', PROJECTION_GRANTS],
    ] as const) {
      for (const [table, row] of Object.entries(grants)) {
        for (const [at, letters] of row.entries()) {
          const name = `${roleName('tested', ROW_ROLES[at])} ${schema}.${table}`;
          const expected = [...letters].map((one) => words[one as keyof typeof words]).sort();
          assert.equal(rights.get(name) ?? '', expected.join(' '), name);
          compared++;
        }
      }
    }
    assert.ok(compared > 700, `compared ${compared}`);
  });

  test('the identity gateway has the rights of the other public gateways', async () => {
    const { rows } = await connection.query(
      `with rights as (
         select grantee, table_name, column_name, privilege_type
         from information_schema.column_privileges where grantee like 'tested\\_gateway\\_%')
       select count(*) filter (where grantee = 'tested_gateway_http') as http, count(*) filter (
         where grantee = 'tested_gateway_identity') as identity from rights`,
    );
    assert.ok(Number(rows[0].http) > 500);
    assert.equal(rows[0].identity, rows[0].http);
  });

  test("operators' stream gateway has the rights of the public one", async () => {
    const { rows } = await connection.query(
      `with rights as (
         select grantee, table_name, column_name, privilege_type
         from information_schema.column_privileges where grantee like 'tested\\_gateway\\_%')
       select count(*) filter (where grantee = 'tested_gateway_websocket') as users, count(*) filter
         (where grantee = 'tested_gateway_ws_admin') as operators from rights`,
    );
    assert.ok(Number(rows[0].users) > 100);
    assert.equal(rows[0].operators, rows[0].users);
  });

  test('the notifier has the rights of every job that deletes old rows', async () => {
    const jobs = JOBS.filter(({ name }) => name.startsWith('delete_'));
    assert.ok(jobs.length > 8, `${jobs.length} jobs`);
    const context = { pool: connection, nowMs: Date.UTC(2026, 10, 15), batch: 10 };
    await connection.query(`set role ${roleName('tested', 'notifier')}`);
    try {
      for (const job of jobs) {
        const { name } = job;
        await assert.doesNotReject(job.run(context as unknown as JobContext), name);
      }
    } finally {
      await connection.query('reset role');
    }
  });

  test('a column right is not also a table right', () => {
    const letters = { select: 'r', insert: 'a', update: 'w' } as const;
    for (const { right, role, table } of COLUMN_GRANTS) {
      const whole: string = REGISTRY_GRANTS[table][ROW_ROLES.indexOf(role)];
      assert.ok(!whole.includes(letters[right]), `${role} ${right} ${table}`);
    }
  });

  test('a function that runs as its owner is listed or a trigger', async () => {
    const { rows } = await connection.query(
      `select p.oid::regprocedure::text as name, p.proconfig as settings from pg_proc p
       where pronamespace = 'registry'::regnamespace and prosecdef
         and prorettype <> 'trigger'::regtype`,
    );
    const names = rows.map(({ name }) => name.replaceAll(',', ', '));
    assert.deepEqual(names.sort(), Object.keys(FUNCTION_GRANTS).sort());
    const open = await connection.query(
      `select p.proname from pg_proc p where pronamespace = 'registry'::regnamespace and prosecdef
         and (p.proconfig is null
           or not p.proconfig @> array['search_path=pg_catalog, registry, pg_temp'])`,
    );
    assert.deepEqual(open.rows, [], 'each sees only PostgreSQL and its own schema');
  });

  test('no role creates or owns an object that another role uses', async () => {
    for (const role of LOGIN_ROLES) {
      const { rows } = await connection.query(
        `select has_database_privilege($1, current_database(), 'temporary') as temporary,
           has_schema_privilege($1, 'registry', 'create') as registry,
           has_schema_privilege($1, 'projected', 'create') as projected,
           has_schema_privilege($1, 'public', 'create') as public`,
        [roleName('tested', role)],
      );
      const nothing = { temporary: false, registry: false, projected: false, public: false };
      assert.deepEqual(rows[0], nothing, role);
    }
    assert.deepEqual(await ownedByRoles(), []);
  });

  test('tables that older releases gave to roles are returned to the owner', async () => {
    await connection.query('alter schema projected owner to tested_projector');
    await connection.query('alter table projected.balances owner to tested_projector');
    await connection.query('alter table registry.logins owner to tested_notifier');
    await connection.query('grant create on schema registry to tested_notifier');
    await applyGrants(connection, SCHEMAS);
    assert.deepEqual(await ownedByRoles(), []);
    await asRole('projector', 'select from projected.balances');
    await assert.rejects(asRole('notifier', 'create table registry.mine (id bigint)'), DENIED);
  });

  test('code created by a service is reported, not kept', async () => {
    await connection.query('grant create on schema registry to tested_notifier');
    await asRole('notifier', HOSTILE_FUNCTION);
    await assert.rejects(applyGrants(connection, SCHEMAS), /^RoleFault: function to_timestamp/);
    await connection.query('drop function registry.to_timestamp(numeric)');
    await connection.query('create policy hook on projected.balances using (true)');
    await assert.rejects(applyGrants(connection, SCHEMAS), /policy hook on balances/);
    await connection.query('drop policy hook on projected.balances');
    await applyGrants(connection, SCHEMAS);
  });

  test('the notifier cannot attach code to the schema that all roles search', async () => {
    await assert.rejects(asRole('notifier', HOSTILE_FUNCTION), DENIED);
    await assert.rejects(asRole('notifier', 'create table registry.mine (id bigint)'), DENIED);
    const table = 'alter table registry.logins add column mine text';
    await assert.rejects(asRole('notifier', table), /must be owner of table logins/);
  });

  test('the projector cannot attach code to the tables that all roles read', async () => {
    for (const statement of [
      'create function projected.hook() returns boolean language sql as $$ select true $$',
      'create policy hook on projected.balances using (true)',
      'alter table projected.balances enable row level security',
      'create rule hook as on insert to projected.balances do also select 1',
      'create trigger hook before insert on projected.balances for each row ' +
        'execute function suppress_redundant_updates_trigger()',
    ]) {
      await assert.rejects(asRole('projector', statement), DENIED, statement);
    }
  });

  test('the projector writes its tables and their partitions, which functions create', async () => {
    await asRole('projector', 'select projected.make_order_partition(3, 1000)');
    await asRole('projector', "select projected.make_month_partitions('2026-11-01')");
    for (const table of ['balances', 'orders', 'orders_000003', 'trades_2026_11']) {
      await asRole('projector', `delete from projected.${table}`);
    }
    await assert.rejects(asRole('projector', 'delete from projected.migrations'), DENIED);
    const attach = "select projected.attach_partition('orders', 'x', '1) to (2); --', '2', '')";
    await assert.rejects(asRole('projector', attach), DENIED);
    assert.deepEqual(await ownedByRoles(), []);
  });

  for (const [role, table, columns] of [
    ['notifier', 'users', ['role', 'role_since', 'verification_level', 'discount']],
    ['notifier', 'withdrawal_requests', ['address', 'amount_atoms', 'reviews_needed', 'user_id']],
    ['notifier', 'sessions', ['user_id', 'scopes', 'token_hash', 'expires_at']],
    ['notifier', 'passwords', ['user_id', 'salt', 'sealed_tag']],
    ['notifier', 'api_keys', ['role', 'user_id', 'sealed', 'can_withdraw']],
    ['notifier', 'deposit_requests', ['state', 'amount_atoms', 'address']],
    ['chain-watcher', 'deposit_requests', ['user_id', 'asset_id', 'kind', 'scale']],
    ['chain-watcher', 'users', ['role', 'state', 'email']],
    ['chain-watcher', 'custody_addresses', ['user_id', 'address']],
    ['gateway-http', 'custody_addresses', ['user_id', 'address']],
    ['gateway-http', 'custody_deposits', ['state', 'atoms', 'user_id']],
    ['notifier', 'audit_entries', ['commands', 'written_in']],
    ['outbox-dispatcher', 'users', ['role', 'role_since', 'email', 'verification_level']],
    ['outbox-dispatcher', 'withdrawal_requests', ['address', 'amount_atoms', 'user_id']],
    ['outbox-dispatcher', 'outbox', ['written_by', 'written_in']],
    ['outbox-dispatcher', 'engine_commands', ['record', 'written_by']],
  ] as const) {
    test(`${role} cannot change ${columns.join(', ')} in ${table}`, async () => {
      for (const column of columns) {
        const update = `update registry.${table} set ${column} = default where false`;
        await assert.rejects(asRole(role, update), DENIED, column);
      }
    });
  }

  test("no role can choose a command's writer or an audit entry's transaction", async () => {
    for (const [role, table, column] of [
      ['notifier', 'engine_commands', 'written_by'],
      ['gateway-admin', 'engine_commands', 'written_in'],
      ['notifier', 'audit_entries', 'written_in'],
      ['gateway-admin', 'audit_entries', 'written_in'],
      ['notifier', 'sessions', 'token_hash'],
    ] as const) {
      const insert = `insert into registry.${table} (${column}) select null where false`;
      await assert.rejects(asRole(role, insert), DENIED, `${role} ${table}`);
    }
  });

  test('the notifier can erase accounts but not take them over', async () => {
    await connection.query(
      `insert into registry.users (email, username, affiliation_code, state)
       values ('victim@example.com', 'victim', 'VICTIM', 'active')`,
    );
    for (const change of [
      "email = 'thief@example.com'",
      `settings = '{"language": "de"}'`,
      "state = 'closed'",
      "state = 'erased'",
      "state = 'frozen'",
    ]) {
      const statement = `update registry.users set ${change} where username = 'victim'`;
      await assert.rejects(asRole('notifier', statement), DENIED, change);
    }
    const cut = 'select registry.cut_requests_of_closed(id) from registry.users';
    await assert.rejects(asRole('notifier', `${cut} where username = 'victim'`), DENIED);
  });

  test('abuse 97: the notifier deletes second factors of closed accounts only', async () => {
    await connection.query(
      `insert into registry.users (email, username, affiliation_code, state) values
         ('holder@example.com', 'holder', 'HOLDER', 'active'),
         ('former@example.com', 'former', 'FORMER', 'closed')`,
    );
    const those = `from registry.users where username in ('holder', 'former')`;
    await connection.query(
      `insert into registry.totp_secrets (user_id, kek_id, sealed_secret, state)
         select id, 1, '', 'active' ${those};
       insert into registry.passkeys (user_id, credential_id, public_key)
         select id, username::bytea, '' ${those};
       insert into registry.recovery_codes (user_id, code_hash)
         select id, sha256('') ${those};
       insert into registry.passwords (user_id, salt, memory, passes, lanes, kek_id, sealed_tag)
         select id, decode(repeat('00', 16), 'hex'), 1, 1, 1, 1, '' ${those}`,
    );
    for (const table of ['totp_secrets', 'passkeys', 'recovery_codes', 'passwords']) {
      await asRole('notifier', `delete from registry.${table}`);
      const { rows } = await connection.query(
        `select username from registry.${table} t join registry.users u on u.id = t.user_id`,
      );
      assert.deepEqual(rows, [{ username: 'holder' }], table);
    }
    await asRole('notifier', "delete from registry.users where username = 'former'");
    const { rows } = await connection.query(`select username ${those} order by id`);
    assert.deepEqual(rows, [{ username: 'holder' }, { username: 'former' }]);
  });

  test('a role with its own attributes is rejected', async () => {
    await connection.query('create role other_gateway_http login createrole');
    const applied = applyGrants(connection, { ...SCHEMAS, rolePrefix: 'other' });
    await assert.rejects(applied, (fault) => {
      assert.ok(fault instanceof RoleFault);
      assert.match(fault.message, /^other_gateway_http: expected a role without attributes/);
      return true;
    });
  });
});

const DENIED = { code: '42501' };

/** Overload that matches `to_timestamp($1 / 1000.0)` better than PostgreSQL's own function. */
const HOSTILE_FUNCTION = `create function registry.to_timestamp(n numeric) returns timestamptz
  language sql as $$ select now() $$`;

/** Runs with the service's login, so `session_user` is its role. */
async function asRole(role: DatabaseRole, statement: string): Promise<void> {
  await connection.query(`set session authorization ${roleName('tested', role)}`);
  try {
    await connection.query(statement);
  } finally {
    await connection.query('reset session authorization');
  }
}

/** Returns tables, functions and schemas owned by a login role. */
async function ownedByRoles(): Promise<unknown[]> {
  const { rows } = await connection.query(
    `select objid::text, deptype from pg_shdepend d join pg_roles r on r.oid = d.refobjid
     where d.refclassid = 'pg_authid'::regclass and d.deptype = 'o'
       and r.rolname like 'tested\\_%'`,
  );
  return rows;
}
