// The registry on a real server: its golden schema, users, keys, sessions and roles, and the two
// tools that create them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import {
  createUser,
  findUser,
  findUserByEmail,
  listWallets,
} from '../../../features/accounts/index.ts';
import {
  createKey,
  markKeyRevoked,
  type NewKey,
  updateKeyRow,
} from '../../../features/auth/credentials/keys.ts';
import { writeKeyUses } from '../../../features/auth/credentials/owned-credentials.ts';
import { type KeyBinding, listKeys, readKeys } from '../../../features/auth/index.ts';
import {
  checkSchema,
  describeSchema,
  migrate,
  type OwnConnection,
} from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { readRegistryMigrations } from './registry-migrations.ts';

const GOLDEN = join(import.meta.dirname, 'golden/schema.sql');
const ROOT = join(import.meta.dirname, '../../..');

let postgres: PostgresForTest;
let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};

describe('the registry', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
  });
  after(() => stop());

  test('the migrations create the golden schema', async () => {
    const found = await describeSchema(connection, 'registry');
    if (process.env.RIALTO_WRITE_GOLDEN === '1') writeFileSync(GOLDEN, found);
    assert.equal(found, readFileSync(GOLDEN, 'utf8'));
  });

  test('user ids count from 1, and an email address is unique in any case', async () => {
    const ann = await createUser(connection, { email: 'Ann@Example.com' });
    assert.ok(typeof ann === 'object');
    assert.equal(ann.id, 1);
    assert.equal(ann.email, 'ann@example.com');
    assert.equal(ann.username, 'ann');
    assert.equal(ann.role, null);
    assert.match(ann.affiliationCode, /^[A-Z0-9]{6}$/);
    assert.equal(ann.settings.language, 'en');
    assert.equal(await createUser(connection, { email: 'ANN@example.com' }), 'email_taken');
    assert.equal(await createUser(connection, { email: 'nobody' }), 'email_not_valid');
    const odd = { email: 'bob@example.com', role: 'king' };
    assert.equal(await createUser(connection, odd), 'role_unknown');
    assert.deepEqual(await findUserByEmail(connection, 'aNN@example.com'), ann);
    assert.equal(await findUser(connection, 999 as UserId), undefined);
    assert.deepEqual(await listWallets(connection, ann.id), []);
  });

  test('only its user can list, change or revoke a key', async () => {
    const [owner, stranger] = [await userNamed('owner'), await userNamed('stranger')];
    const bound: KeyBinding[] = [];
    const seal = (binding: KeyBinding) => {
      bound.push(binding);
      return { kekId: 1, sealed: Buffer.of(bound.length) };
    };
    const rules = { refuse: () => undefined, reseal: (_: unknown, to: KeyBinding) => seal(to) };
    const key = await createKey(connection, newKey(owner), seal);
    assert.deepEqual(bound, [
      { id: key.id, user: owner, kind: 'hmac', role: 'user', ...scopes(true, false, false) },
    ]);
    const theirs = { user: stranger, id: key.id };
    assert.deepEqual(await listKeys(connection, stranger), []);
    assert.equal(await updateKeyRow(connection, theirs, { canTrade: true }, rules), undefined);
    assert.equal(await markKeyRevoked(connection, theirs), false);

    const ours = { user: owner, id: key.id };
    const renamed = await updateKeyRow(connection, ours, { name: 'other' }, rules);
    assert.ok(renamed !== undefined && !(renamed instanceof Refused) && renamed.name === 'other');
    assert.equal(bound.length, 1);
    const trading = await updateKeyRow(connection, ours, { canTrade: true }, rules);
    assert.ok(trading !== undefined && !(trading instanceof Refused) && trading.canTrade);
    assert.deepEqual([...trading.sealed], [2]);
    const refusing = { ...rules, refuse: () => new Refused('no') };
    const refused = await updateKeyRow(connection, ours, { canWithdraw: true }, refusing);
    assert.deepEqual(refused, new Refused('no'));
    assert.deepEqual(await listKeys(connection, owner), [trading]);
    assert.equal(await markKeyRevoked(connection, ours), true);
    assert.equal(await updateKeyRow(connection, ours, { active: true }, rules), undefined);
  });

  test('keys are read with their owners, and the latest use wins', async () => {
    const user = await userNamed('trader', 'support');
    const seal = () => ({ kekId: 1, sealed: Buffer.of(1) });
    const wanted = { ...newKey(user), publicKey: 'ab'.repeat(20) };
    const { id } = await createKey(connection, wanted, seal);
    await writeKeyUses(connection, [{ id, usedAtMs: 2_000 }]);
    await writeKeyUses(connection, [
      { id, usedAtMs: 1_000 },
      { id: 4_000_000_000, usedAtMs: 1_000 },
    ]);
    const [found, ...more] = await readKeys(connection, [wanted.publicKey, 'cd'.repeat(20)]);
    assert.deepEqual(more, []);
    assert.equal(found.key.lastUsedAt?.getTime(), 2_000);
    assert.equal(found.owner.role, 'support');
    assert.ok(found.owner.permissions.includes('/admin/users:get'));
  });

  test('the largest key id fits 32 bits, as in the engine', async () => {
    const user = await userNamed('many');
    await connection.query('alter table api_keys alter column id restart with 4294967295');
    const seal = () => ({ kekId: 1, sealed: Buffer.of(1) });
    const last = { ...newKey(user), publicKey: 'ef'.repeat(20) };
    assert.equal((await createKey(connection, last, seal)).id, 2 ** 32 - 1);
    await assert.rejects(createKey(connection, last, seal), /reached maximum value/);
    await connection.query('alter table api_keys alter column id restart with 1000');
  });

  test('migrate creates both schemas, and refuses one schema for both', async () => {
    const environment = {
      RIALTO_POSTGRES_URL: postgres.server.url,
      RIALTO_POSTGRES_SCHEMA: 'both_tables',
      RIALTO_REGISTRY_SCHEMA: 'both_registry',
    };
    for (const expected of [/applied 1 users-and-keys/, /^schema both_tables is up to date\n/]) {
      const { status, stdout } = runTool('tools/migrate/main.ts', ['up'], environment);
      assert.equal(status, 0);
      assert.match(stdout, expected);
    }
    await checkSchema(
      await postgres.session('both_tables'),
      'both_tables',
      readProjectionMigrations(),
    );
    const registry = await postgres.session('both_registry');
    await checkSchema(registry, 'both_registry', readRegistryMigrations());
    const same = { ...environment, RIALTO_REGISTRY_SCHEMA: 'both_tables' };
    assert.notEqual(runTool('tools/migrate/main.ts', ['up'], same).status, 0);
  });

  test('the keys tool creates users, keys and sessions, and revokes keys', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-keys-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const production = {
      RIALTO_POSTGRES_URL: postgres.server.url,
      RIALTO_ACCESS_KEY: Buffer.alloc(32, 4).toString('base64'),
    };
    const file = join(folder, 'access-key');
    writeFileSync(file, production.RIALTO_ACCESS_KEY);
    const development = {
      RIALTO_POSTGRES_URL: postgres.server.url,
      RIALTO_ACCESS_KEY_FILE: file,
      RIALTO_MODE: 'development',
    };
    const keys = (words: string, environment: Record<string, string> = production) =>
      runTool('tools/keys/main.ts', words.split(' '), environment);

    assert.match(keys('user create --email eve@example.com --role admin').stdout, /^user \d+ eve@/);
    assert.match(keys('user create --email eve@example.com').stderr, /email_taken/);
    const made = keys('create --user eve@example.com --trade --ips 203.0.113.0/24,2001:db8::1');
    assert.match(made.stdout, /^id +\d+\nkey +[0-9a-f]{40}\nsecret +[0-9a-f]{50}\n/);
    const id = /^id +(\d+)/.exec(made.stdout)![1];
    const secret = /secret +(\w+)/.exec(made.stdout)![1];
    const listed = keys('list --user eve@example.com').stdout;
    assert.match(listed, / active +read,trade +203.0.113.0\/24,2001:db8::1 +never\n$/);
    assert.ok(!listed.includes(secret));

    const admin = 'create --user eve@example.com --role admin';
    assert.match(keys(admin).stderr, /key_admin_whitelist_needed/);
    assert.match(keys(`${admin} --ips 10.0.0.0/8`).stderr, /key_addresses_invalid/);
    assert.equal(keys(`${admin} --ips 10.0.0.1`).status, 0);
    assert.equal(keys(admin, development).status, 0);
    assert.match(keys(`${admin} --ed25519`, development).stdout, /BEGIN PRIVATE KEY/);
    assert.match(keys('session create --user 1').stderr, /RIALTO_MODE=development/);
    assert.match(
      keys('session create --user 1', development).stdout,
      /^token [\w-]+\.[\w-]+\.[\w-]{43}\n/,
    );

    assert.match(keys('user unfreeze --user eve@example.com').stderr, /is not frozen/);
    assert.equal(keys('sign-up sometimes').status, 2);

    const revoked = keys(`revoke --user eve@example.com --key ${id}`);
    assert.match(revoked.stdout, /is revoked/);
    assert.match(revoked.stderr, /Gateways will pick up the change within a minute/);
    assert.equal(keys(`revoke --user eve@example.com --key ${id}`).status, 1);
    assert.equal(keys('revoke --user eve@example.com').status, 2);
    assert.equal(keys('conquer --user 1').status, 2);
    const foreign = { ...production, RIALTO_ACCESS_KEY: Buffer.alloc(32, 5).toString('base64') };
    assert.match(keys('create --user 1', foreign).stderr, /is another key than that of the reg/);
    const nothing = { RIALTO_POSTGRES_URL: postgres.server.url };
    assert.match(keys('create --user 1', nothing).stderr, /RIALTO_ACCESS_KEY_FILE is not set/);
    const { rows } = await connection.query(
      'select act, object, credential, after from audit_entries order by seq limit 2',
    );
    const [created, key] = rows;
    assert.deepEqual([created.act, created.credential], ['tool.user_create', 'tool']);
    assert.deepEqual(created.after, { role: 'admin' });
    assert.deepEqual([key.act, key.object], ['tool.key_create', `key ${id}`]);
    const { rows: ends } = await connection.query(
      `select count(*) from audit_entries where act = 'tool.key_revoke'`,
    );
    assert.equal(ends[0].count, '1', 'a refused command leaves no entry');
  });

  test('the keys tool says who may sign up, and keeps the rest of the kit', async () => {
    await connection.query(`insert into kit (content) values ('{"title": "Ours"}')`);
    const environment = {
      RIALTO_POSTGRES_URL: postgres.server.url,
      RIALTO_ACCESS_KEY: Buffer.alloc(32, 4).toString('base64'),
    };
    for (const [mode, isOpen, isByInvitation] of [
      ['closed', false, false],
      ['invitation', true, true],
      ['open', true, false],
    ] as const) {
      const { stderr, stdout } = runTool('tools/keys/main.ts', ['sign-up', mode], environment);
      assert.match(stdout, /^sign-up is /, stderr);
      const { rows } = await connection.query('select content from kit');
      const expected = { new_user_is_activated: isOpen, invitation_only: isByInvitation };
      assert.deepEqual(rows, [{ content: { title: 'Ours', ...expected } }]);
    }
  });
});

function runTool(tool: string, args: readonly string[], environment: Record<string, string>) {
  const { PATH = '' } = process.env;
  const options = { cwd: ROOT, encoding: 'utf8', env: { PATH, ...environment } } as const;
  return spawnSync(process.execPath, [tool, ...args], options);
}

async function userNamed(name: string, role?: string): Promise<UserId> {
  const named = role === undefined ? {} : { role };
  const user = await createUser(connection, { email: `${name}@example.com`, ...named });
  assert.ok(typeof user === 'object');
  return user.id;
}

function newKey(user: UserId): NewKey {
  return {
    user,
    name: 'bot',
    publicKey: user.toString(16).padStart(40, '0'),
    kind: 'hmac',
    verifyingKey: null,
    role: 'user',
    bookOnly: false,
    whitelistedIps: [],
    expiresAt: new Date(2 ** 41),
    ...scopes(true, false, false),
  };
}

function scopes(canRead: boolean, canTrade: boolean, canWithdraw: boolean) {
  return { canRead, canTrade, canWithdraw };
}
