// A migrated server has every migration and role, its data survives a restart, and servers copied
// from the same template do not share data.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkSchema, openConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { hasRoles, LOGIN_ROLES, roleName } from '../migrate/grants/apply-grants.ts';
import { MIGRATED_SCHEMAS, startMigratedPostgres } from './migrated-postgres.ts';

function folderForTest(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-migrated-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a server, counts its earlier starts, and stops it. */
async function earlierStarts(folder: string): Promise<number> {
  const server = await startMigratedPostgres({ folder });
  const { projectionSchema, registrySchema, rolePrefix } = MIGRATED_SCHEMAS;
  const open = (schema: string) =>
    openConnection({ url: server.url, schema, name: 'test', statementTimeoutMs: 60_000 });
  const [registry, projections] = [await open(registrySchema), await open(projectionSchema)];
  try {
    await checkSchema(projections, projectionSchema, readProjectionMigrations());
    await checkSchema(registry, registrySchema, readRegistryMigrations());
    assert.ok(await hasRoles(registry, rolePrefix));
    const rights = await registry.query(
      `select count(*)::integer as count from pg_roles
       where rolname = any($1) and has_database_privilege(rolname, current_database(), 'connect')`,
      [LOGIN_ROLES.map((role) => roleName(rolePrefix, role))],
    );
    assert.equal(rights.rows[0].count, LOGIN_ROLES.length);
    await registry.query('create table if not exists starts (id integer)');
    const { rows } = await registry.query('select count(*)::integer as count from starts');
    await registry.query('insert into starts values (1)');
    return rows[0].count;
  } finally {
    await Promise.all([registry.end(), projections.end()]);
    await server.stop();
  }
}

test('a migrated server keeps its data and shares none', async (context) => {
  const [one, other] = [folderForTest(context), folderForTest(context)];
  assert.equal(await earlierStarts(one), 0);
  assert.equal(await earlierStarts(one), 1);
  assert.equal(await earlierStarts(other), 0);
});
