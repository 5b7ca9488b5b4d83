// The rights of the roles, compared with the catalogue of a migrated database.

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

describe('the roles of PostgreSQL', () => {
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

  test('every table of both schemas has a row, and no other', async () => {
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

  test('each role has the rights of its column, and no other', async () => {
    const found = await connection.query(
      `select grantee, table_schema || '.' || table_name as table,
         string_agg(privilege_type, ' ' order by privilege_type) as rights
       from information_schema.role_table_grants
       where grantee like 'tested\\_%'
         and grantee not in ('tested_projector', 'tested_gateway_identity')
         and table_name <> 'logins' group by 1, 2`,
    );
    const rights = new Map(found.rows.map((row) => [`${row.grantee} ${row.table}`, row.rights]));
    const words = { r: 'SELECT', a: 'INSERT', w: 'UPDATE', d: 'DELETE' } as const;
    let compared = 0;
    for (const [schema, grants] of [
      ['registry', REGISTRY_GRANTS],
      ['projected', PROJECTION_GRANTS],
    ] as const) {
      for (const [table, row] of Object.entries(grants)) {
        if (table === 'logins') continue;
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

  test('a right to columns is not also a right to the table', () => {
    const letters = { select: 'r', insert: 'a', update: 'w' } as const;
    for (const { right, role, table } of COLUMN_GRANTS) {
      const whole: string = REGISTRY_GRANTS[table][ROW_ROLES.indexOf(role)];
      assert.ok(!whole.includes(letters[right]), `${role} ${right} ${table}`);
    }
  });

  test('a function that runs as its owner is listed, or is a trigger', async () => {
    const { rows } = await connection.query(
      `select p.oid::regprocedure::text as name, p.proconfig as settings from pg_proc p
       where pronamespace = 'registry'::regnamespace and prosecdef
         and prorettype <> 'trigger'::regtype`,
    );
    const names = rows.map(({ name }) => name.replaceAll(',', ', '));
    assert.deepEqual(names, Object.keys(FUNCTION_GRANTS));
    const open = await connection.query(
      `select p.proname from pg_proc p where pronamespace = 'registry'::regnamespace and prosecdef
         and (p.proconfig is null or not p.proconfig @> array['search_path=registry, pg_temp'])`,
    );
    assert.deepEqual(open.rows, [], 'each sees only its own schema');
  });

  test('no role makes temporary tables, and only the notifier makes objects', async () => {
    for (const role of LOGIN_ROLES) {
      const { rows } = await connection.query(
        `select has_database_privilege($1, current_database(), 'temporary') as temporary,
           has_schema_privilege($1, 'registry', 'create') as creates`,
        [roleName('tested', role)],
      );
      assert.deepEqual(rows[0], { temporary: false, creates: role === 'notifier' }, role);
    }
  });

  test('only the projector makes projected tables, also after a second run', async () => {
    for (const role of LOGIN_ROLES) {
      const { rows } = await connection.query(
        `select has_schema_privilege($1, 'projected', 'create') as creates`,
        [roleName('tested', role)],
      );
      assert.equal(rows[0].creates, role === 'projector', role);
    }
  });

  test('a role with attributes of its own is refused', async () => {
    await connection.query('create role other_gateway_http login createrole');
    const applied = applyGrants(connection, { ...SCHEMAS, rolePrefix: 'other' });
    await assert.rejects(applied, (fault) => {
      assert.ok(fault instanceof RoleFault);
      assert.match(fault.message, /^other_gateway_http: expected a role without attributes/);
      return true;
    });
  });
});
