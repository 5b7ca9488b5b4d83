// Tests Access on real servers: changes and replays between two gateways over NATS, PostgreSQL
// stopped and restarted, many concurrent cache misses, and no readable secrets.

import assert from 'node:assert/strict';
import { createHmac, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import type { UserId } from '../../../core/money/index.ts';
import {
  Access,
  type AccessWatcher,
  type Identified,
  type Revocation,
} from '../../../infra/access/access.ts';
import { accessTelemetry } from '../../../infra/access/access-telemetry.ts';
import { AccessFault } from '../../../infra/access/credential-cache.ts';
import { accessChangeFeed } from '../../../infra/access/index.ts';
import { MemoryBus } from '../../../infra/bus/bus-for-test.ts';
import { type Bus, NatsBus } from '../../../infra/bus/index.ts';
import {
  inTransaction,
  migrate,
  openPool,
  type Pool,
  type Statements,
  withConnection,
} from '../../../infra/postgres/index.ts';
import { createLogger, createMetrics, systemClock } from '../../../infra/process/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { startNatsForTest } from '../../../testing/nats/nats-for-test.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { until } from '../../../tools/services/wait-until.ts';
import { createUser, findUser } from '../../accounts/index.ts';
import type { Caller } from './caller.ts';
import { createCredentialStore } from './credential-store.ts';
import {
  announceKey,
  changeKey,
  type IssuedKey,
  issueKey,
  type KeyRequest,
  revokeKey,
} from './issue-credentials.ts';
import { grantSession, revokeSession, SESSION_LIFE_MS } from './issue-sessions.ts';
import { listKeys } from './keys.ts';
import { SessionTokens } from './session-token.ts';

const SCHEMA = 'registry';
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));
const SILENT: AccessWatcher = { refused: () => {}, readFailed: () => {} };

let postgres: PostgresForTest;
let pool: Pool;
let stop: () => Promise<void> = async () => {};
let users = 0;

describe('access', () => {
  before(async () => {
    const ending = { after: (end: () => Promise<void>) => void (stop = end) };
    postgres = await startPostgresForTest(ending);
    const connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
    pool = openPool({ ...postgres.connection(SCHEMA), connectionsMax: 4 });
  });
  after(async () => {
    await pool.end();
    await stop();
  });

  test('a key revoked at one gateway is rejected by the other within a second', async (context) => {
    const { one, other } = await twoGateways(context);
    const issued = await makeKey();
    const revocations: Revocation[] = [];
    other.access.watchRevocations((revocation) => revocations.push(revocation));
    for (const { access } of [one, other]) {
      assert.equal(outcome(await access.identify(signedBy(issued))), 'accepted');
    }
    const { id, user } = issued.key;
    assert.equal(await revokeKey(pool, { id, user }, one.changes), true);
    assert.equal(await revokeKey(pool, { id, user }, one.changes), false);
    await until('both gateways applied the change', () => one.isEmpty() && other.isEmpty());
    for (const { access } of [one, other]) {
      assert.equal(outcome(await access.identify(signedBy(issued))), 'key_inactive');
    }
    assert.deepEqual(revocations, [{ user, key: id, session: 0 }]);
  });

  test('changed scopes are sealed again, and the secret stays the same', async (context) => {
    const { one, other } = await twoGateways(context);
    const issued = await makeKey();
    const first = await other.access.identify(signedBy(issued));
    assert.ok('caller' in first && !first.caller.canTrade);
    const { id, user } = issued.key;
    const asked = { key: { id, user }, change: { canTrade: true } };
    const changed = await changeKey(pool, vault, asked);
    assert.ok(changed !== undefined && !(changed instanceof Refused));
    announceKey(one.changes, { id, user });
    assert.notDeepEqual(changed.sealed, issued.key.sealed);
    await until('the other gateway applied the change', other.isEmpty);
    const second = await other.access.identify(signedBy(issued));
    assert.ok('caller' in second && second.caller.canTrade);

    await pool.query('update api_keys set can_withdraw = true where id = $1', [id]);
    await other.access.readAgain();
    assert.equal(outcome(await other.access.identify(signedBy(issued))), 'signature_wrong');
  });

  test('a write accepted by one gateway is rejected by the other', async (context) => {
    const { one, other } = await twoGateways(context);
    const issued = await makeKey();
    for (const { access } of [one, other]) await access.identify(signedBy(issued));
    const write = { ...signedBy(issued, 'DELETE', '/v2/order?order_id=1'), isWrite: true };
    assert.equal(outcome(await one.access.identify(write)), 'accepted');
    await until('the other gateway has the signature', () => other.access.sizes.signatures === 1);
    assert.equal(outcome(await other.access.identify(write)), 'signature_replayed');
  });

  test('a session token works until it is revoked', async (context) => {
    const { one, other } = await twoGateways(context);
    const { key } = await makeKey();
    const { session, token } = await makeSession(key.user);
    const request = { ...withoutKey(), headers: { authorization: `Bearer ${token}` } };
    assert.equal(outcome(await other.access.identify(request)), 'accepted');
    assert.equal(await revokeSession(pool, session, one.changes), true);
    await until('the other gateway applied the change', other.isEmpty);
    assert.equal(outcome(await other.access.identify(request)), 'session_revoked');
  });

  test('a user has at most 20 live sessions, even after parallel logins', async () => {
    const { key } = await makeKey();
    const login = () =>
      withConnection(pool, (connection) =>
        inTransaction(connection, () => makeSession(key.user, connection)),
      );
    const issued = await Promise.all(Array.from({ length: 25 }, login));
    const { rows } = await pool.query(
      'select id, revoked_reason from sessions where user_id = $1 and revoked_at is not null',
      [key.user],
    );
    assert.deepEqual(new Set(rows.map((row) => row.revoked_reason)), new Set(['too_many']));
    const ended = issued.flatMap((one) => one.ended).sort((one, other) => one - other);
    assert.deepEqual(rows.map((row) => Number(row.id)).sort(), ended);
    assert.equal(ended.length, 5);
  });

  test('a thousand concurrent misses cause one query', async () => {
    let queries = 0;
    const counting: Statements = {
      query: (text, values) => {
        queries += 1;
        return pool.query(text, values);
      },
    };
    const access = openAccessOn(counting);
    const issued = await Promise.all([makeKey(), makeKey(), makeKey(), makeKey()]);
    const asked = Array.from({ length: 1_000 }, (_, at) =>
      access.identify(signedBy(issued[at % 4])),
    );
    const outcomes = new Set((await Promise.all(asked)).map(outcome));
    assert.deepEqual([...outcomes], ['accepted']);
    assert.equal(queries, 1);
    await access.stop();
    const { rows } = await pool.query(
      'select count(*)::integer as used from api_keys where id = any($1) and last_used_at > $2',
      [issued.map(({ key }) => key.id), new Date(Date.now() - 60_000)],
    );
    assert.equal(rows[0].used, 4);
  });

  test('an Ed25519 key is generated here, or its public key is provided', async () => {
    const access = openAccessOn(pool);
    const verifyingKey = 'J6FXWdpcKy1HnvayrH01kCHUbmk/HXSrfHV9iS02FmU=';
    const brought = await makeKey({ kind: 'ed25519', verifyingKey });
    assert.equal(brought.secret, '');
    assert.equal(brought.key.verifyingKey, verifyingKey);
    const { key, secret } = await makeKey({ kind: 'ed25519' });
    const unsigned = signedBy({ key, secret: 'none' });
    const text = `GET/v2/user${unsigned.headers.expires}`;
    const signature = sign(null, Buffer.from(text), secret).toString('base64');
    const request = { ...unsigned, headers: { ...unsigned.headers, signature } };
    assert.equal(outcome(await access.identify(request)), 'accepted');
    // An HMAC keyed with public data is not a signature, even if the row allows it.
    await pool.query("update api_keys set kind = 'hmac', verifying_key = null where id = $1", [
      key.id,
    ]);
    await access.readAgain();
    const forged = signedBy({ key, secret: key.verifyingKey! });
    assert.equal(outcome(await access.identify(forged)), 'signature_wrong');
    await access.stop();
  });

  test('tables, logs and metrics contain no secret, token or signature', async () => {
    const lines: string[] = [];
    const to = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ service: 'test', instance: 'test', level: 'trace', to });
    const metrics = createMetrics();
    const access = openAccessOn(pool, {
      watcher: accessTelemetry(log, metrics),
      onBrokenSeal: (key) => log.error({ key }, 'key seal broken'),
    });
    const issued = await makeKey();
    const { token } = await makeSession(issued.key.user);
    const request = signedBy(issued);
    await access.identify(request);
    await access.identify({ ...request, target: '/v2/other' });
    await access.identify({ ...withoutKey(), headers: { authorization: `Bearer ${token}` } });
    await pool.query('update api_keys set can_withdraw = true where id = $1', [issued.key.id]);
    await access.readAgain();
    assert.match(lines.join(''), /key seal broken/);
    log.info({ access, issued: await listKeys(pool, issued.key.user) }, 'everything there is');
    await access.stop();

    const places: Record<string, string> = {
      lines: lines.join(''),
      metrics: await metrics.text(),
      shown: inspect(access, { depth: 20, showHidden: true }),
      server: readFileSync(postgres.server.logFile, 'utf8'),
    };
    for (const table of ['users', 'api_keys', 'sessions', 'wallets', 'roles']) {
      const { rows } = await pool.query(`select t::text as line from ${table} t`);
      places[table] = rows.map(({ line }) => line).join('\n');
    }
    assert.ok(places.api_keys.includes(issued.key.publicKey));
    for (const secret of [issued.secret, token, request.headers.signature]) {
      const hex = Buffer.from(secret).toString('hex');
      const raw = Buffer.from(secret, 'hex').toString('base64');
      for (const [place, text] of Object.entries(places)) {
        for (const form of [secret, hex, Buffer.from(secret).toString('base64'), raw]) {
          assert.ok(form === '' || !text.includes(form), `${place} contains a secret`);
        }
      }
    }
  });

  test('known keys keep working while PostgreSQL is down, and all keys afterward', async () => {
    const access = openAccessOn(pool);
    const [known, unknown] = [await makeKey(), await makeKey()];
    assert.equal(outcome(await access.identify(signedBy(known))), 'accepted');
    await postgres.server.stop();
    assert.equal(outcome(await access.identify(signedBy(known))), 'accepted');
    await assert.rejects(async () => access.identify(signedBy(unknown)), AccessFault);
    await access.readAgain();
    assert.equal(outcome(await access.identify(signedBy(known))), 'accepted');
    await postgres.server.start();
    assert.equal(outcome(await access.identify(signedBy(unknown))), 'accepted');
    await access.stop();
  });
});

function openAccessOn(registry: Statements, changes: Partial<AccessForTest> = {}) {
  const access = watched({ registry, bus: new MemoryBus(), ...changes });
  access.start();
  return access;
}

interface AccessForTest {
  readonly registry: Statements;
  readonly bus: Bus;
  readonly watcher?: AccessWatcher;
  onBrokenSeal?(key: number): void;
}

function watched({ bus, onBrokenSeal = () => {}, registry, watcher = SILENT }: AccessForTest) {
  const tokens = new SessionTokens(vault, systemClock);
  return new Access({
    clock: systemClock,
    isOwnToken: (token) => tokens.isOwn(token),
    hasEnded: () => false,
    store: createCredentialStore({ registry, vault, onBrokenSeal }),
    bus,
    watcher,
    exchange: 'test',
    entriesMax: 100,
    signaturesMax: 1_000,
    expiresAheadSMax: 300,
  });
}

async function twoGateways(context: TestContext) {
  const { connect } = await startNatsForTest(context, { nodes: 1, syncAlways: false });
  const open = async () => {
    const nats = await connect();
    const bus = new NatsBus(nats);
    const access = watched({ registry: pool, bus });
    access.start();
    await nats.client.flush();
    context.after(() => access.stop());
    const isEmpty = () => access.sizes.keys + access.sizes.sessions === 0;
    return { access, isEmpty, changes: accessChangeFeed(bus, 'test') };
  };
  return { one: await open(), other: await open() };
}

function makeSession(user: UserId, statements: Statements = pool) {
  const request = { user, nowMs: Date.now(), lifeMs: SESSION_LIFE_MS, exchangeName: 'test' };
  return grantSession(statements, vault, request);
}

/** Creates a key with its own user. */
async function makeKey(changes: Partial<KeyRequest> = {}): Promise<IssuedKey> {
  users += 1;
  const user = await createUser(pool, { email: `user-${users}@example.com` });
  assert.ok(typeof user === 'object');
  assert.deepEqual(await findUser(pool, user.id), user);
  const issued = await issueKey(pool, vault, {
    user: user.id,
    name: 'bot',
    kind: 'hmac',
    role: 'user',
    whitelistedIps: [],
    canRead: true,
    canTrade: false,
    canWithdraw: false,
    nowMs: Date.now(),
    ...changes,
  });
  assert.ok(!(issued instanceof Refused));
  return issued;
}

function withoutKey() {
  return {
    method: 'GET',
    target: '/v2/user',
    bodyIsExpected: false,
    isWrite: false,
    address: '127.0.0.1',
  };
}

function signedBy({ key, secret }: IssuedKey, method = 'GET', target = '/v2/user') {
  const expires = `${Math.floor(Date.now() / 1_000) + 60}`;
  const signature = createHmac('sha256', secret)
    .update(method + target + expires)
    .digest('hex');
  return { ...withoutKey(), method, target, headers: { key: key.publicKey, signature, expires } };
}

function outcome(identified: Identified<Caller>): string {
  return 'refused' in identified ? identified.refused : 'accepted';
}
