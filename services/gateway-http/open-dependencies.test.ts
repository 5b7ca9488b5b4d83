// PostgreSQL roles that a gateway accepts for its routes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Statements } from '../../infra/postgres/index.ts';
import { checkDatabaseRole } from './open-dependencies.ts';
import { GATEWAY_MODULES } from './served-routes.ts';

const PUBLIC = ['public', 'user', 'identity'] as const;

function registryAs(name: string, is_admin: boolean, is_superuser = false): Statements {
  const query = async () => ({ rows: [{ name, is_admin, is_superuser }] });
  return { query } as unknown as Statements;
}

const gateway = registryAs('rialto_gateway_http', false);
const admin = registryAs('rialto_gateway_admin', true);
const owner = registryAs('postgres', true, true);

test('a public gateway in production has no operator permissions', async () => {
  const production = { mode: 'production', modules: PUBLIC } as const;
  await checkDatabaseRole(gateway, production);
  await assert.rejects(
    checkDatabaseRole(admin, production),
    /names the role rialto_gateway_admin, which has operator permissions \(expected .*http\)/,
  );
  await assert.rejects(checkDatabaseRole(owner, production), /names the superuser postgres/);
  await checkDatabaseRole(owner, { mode: 'development', modules: PUBLIC });
});

test("an operators' gateway has their permissions, and no more in production", async () => {
  for (const mode of ['production', 'development']) {
    await checkDatabaseRole(admin, { mode, modules: GATEWAY_MODULES });
    await assert.rejects(
      checkDatabaseRole(gateway, { mode, modules: GATEWAY_MODULES }),
      /names the role rialto_gateway_http, which cannot serve operators \(expected .*admin\)/,
    );
  }
  const production = { mode: 'production', modules: GATEWAY_MODULES };
  await assert.rejects(checkDatabaseRole(owner, production), /names the superuser postgres/);
});
