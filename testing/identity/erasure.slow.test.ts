// Erasure of a user who has traded, on a running exchange: no table, dump or export shows the user,
// and no ledger row has changed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readPersonal } from '../../features/accounts/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import {
  accessKeyFile,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { place, taken } from '../contract/trading-stage.ts';
import { dumpSchema, readableValues } from './dump-search.ts';
import { BANK, PERSONAL, plantBanks, plantSecrets, TRACES } from './planted-person.ts';

const ROOT = join(import.meta.dirname, '../..');
const LEDGER = ['ledger_entries', 'balances', 'orders', 'fills', 'trades', 'deposits'];
const REQUESTS = ['deposit_requests', 'withdrawal_requests', 'wallets'];
const OWN_EXPORTS = ['/user/trades', '/orders', '/user/deposits'];
const OPERATOR_EXPORTS = ['/admin/users', '/admin/deposits'];
const PATIENT = { timeout: 180_000 };

let sandbox: Sandbox;

describe('erasure on a running exchange', PATIENT, () => {
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox?.stop());

  test('abuse 58: no export shows an erased user, and the ledger is unchanged', async () => {
    const { admin: operator, alice: person, bob: other } = sandbox.seeded.users;
    const { projections, registry, vault } = sandbox.admin;
    const banks = await withConnection(registry, (connection) =>
      plantBanks(connection, vault, person.user),
    );
    const secrets = { ...(await plantSecrets(registry, vault, person.user)), ...banks };
    const traces = { ...TRACES, email: person.email, seededName: 'Alice Trader' };
    await place(clientOf(person), { side: 'sell', size: '0.1', price: '60000' });
    await place(clientOf(other), { side: 'buy', size: '0.1', price: '60000' });
    const profile = taken(await clientOf(person).get('/user'));
    assert.equal(profile.full_name, PERSONAL.fullName);
    const [{ id, ...bank }] = profile.bank_account;
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.deepEqual(bank, { ...BANK, status: 1 });
    await waitUntil({
      what: 'the trade is projected',
      timeoutMs: 30_000,
      question: async () => (await exportOf(other, '/user/trades')).includes('60000'),
    });
    assert.ok((await exportOf(operator, '/admin/deposits')).includes(person.email));
    const before = await rowsOf(projections, LEDGER);
    const requests = await rowsOf(registry, REQUESTS);

    assert.match(erase(person.email).stderr, /user_not_closed/);
    await registry.query(`update users set state = 'closed' where id = $1`, [person.user]);
    assert.match(erase(person.email).stdout, /^user \d+ is erased$/m);
    assert.match(erase(`${person.user}`).stdout, /is erased/);

    for (const schema of [REGISTRY_SCHEMA, PROJECTION_SCHEMA]) {
      const dump = await dumpSchema(sandbox.postgres.url, schema);
      assert.deepEqual(readableValues(dump, { ...secrets, ...traces }), [], schema);
    }
    for (const [whose, paths] of [
      [other, OWN_EXPORTS],
      [operator, OPERATOR_EXPORTS],
    ] as const) {
      for (const path of paths) {
        const file = await exportOf(whose, path);
        assert.deepEqual(readableValues(file, { ...secrets, ...traces }), [], path);
      }
    }
    const deposits = await exportOf(operator, '/admin/deposits');
    assert.ok(deposits.includes(`erased-${person.user}@invalid`));
    assert.equal((await clientOf(person).get('/user')).status, 401);
    assert.equal((await readPersonal(registry, vault, person.user)).fullName, '');
    assert.deepEqual(await rowsOf(projections, LEDGER), before);
    assert.deepEqual(await rowsOf(registry, REQUESTS), requests);
    assert.ok(before.every(({ rows }) => rows > 0));
  });
});

function clientOf({ key, secret }: { key: string; secret: string }): RestClient {
  return new RestClient({ url: sandbox.url, key, secret });
}

async function exportOf(who: { key: string; secret: string }, path: string): Promise<string> {
  const { status, text } = await clientOf(who).get(path, { format: 'csv' });
  if (status === 400) return '';
  assert.equal(status, 202, text);
  return text;
}

/** Returns the row count and a hash of all values for each table. */
async function rowsOf(pool: Pool, tables: readonly string[]) {
  const found = [];
  for (const table of tables) {
    const { rows } = await pool.query(
      `select count(*)::integer as rows, md5(string_agg(t::text, '|' order by t::text)) as hash
       from ${table} t`,
    );
    found.push({ table, ...(rows[0] as { rows: number; hash: string }) });
  }
  return found;
}

function erase(user: string) {
  const { folder, nats, postgres } = sandbox;
  return spawnSync(process.execPath, ['tools/keys/main.ts', 'user', 'erase', '--user', user], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      RIALTO_POSTGRES_URL: postgres.url,
      RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
      RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
      RIALTO_NATS_URLS: nats.urls.join(','),
    },
  });
}
