// Tests session ends on real tables: gateways and SQL agree, and every end increments the version.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createCredentialStore } from '../auth/credentials/credential-store.ts';
import { grantSession } from '../auth/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../auth/registry-for-test.ts';
import {
  endSessionsOfEveryone,
  hasSessionEnded,
  readSwitchesInForce,
  readSwitchVersion,
  sessionHasEnded,
} from './switches-in-force.ts';

let registry: RegistryForTest;

before(async () => {
  registry = await openRegistryForTest();
});
after(() => registry.close());

async function openSession(user: UserId) {
  const life = { lifeMs: 60_000, nowMs: Date.now(), exchangeName: 'test' };
  const { session } = await grantSession(registry.pool, vault, { user, ...life });
  return { id: session.id, hash: Buffer.from(session.tokenHash).toString('hex') };
}

/** The gateways' decision, which must equal that of SQL. */
async function hasEnded({ hash, id }: { readonly id: number; readonly hash: string }) {
  const { pool } = registry;
  const store = createCredentialStore({ registry: pool, vault, onBrokenSeal() {} });
  const caller = (await store.readSessions([hash])).get(hash)?.caller;
  assert.ok(caller !== undefined);
  const { sessionEnds } = await readSwitchesInForce(pool);
  const inGateway = hasSessionEnded(sessionEnds, caller);
  const { rows } = await pool.query(
    `select ${sessionHasEnded('s')} as has_ended from sessions s where s.id = $1`,
    [id],
  );
  assert.equal(rows[0].has_ended, inGateway);
  return inGateway;
}

test('logging everyone out ends all sessions but one, and none that begin later', async () => {
  const { pool } = registry;
  const [user, admin, other] = [
    await makeUser(pool),
    await makeUser(pool, { role: 'admin' }),
    await makeUser(pool, { role: 'admin' }),
  ];
  const before = [await openSession(user), await openSession(admin), await openSession(other)];
  const version = await readSwitchVersion(pool);
  const endedAt = await endSessionsOfEveryone(pool, { keptSession: before[1].id });
  assert.equal(endedAt.getTime() % 1, 0);
  assert.equal(await readSwitchVersion(pool), version + 1);
  assert.deepEqual(await Promise.all(before.map(hasEnded)), [true, false, true]);
  await pool.query('select pg_sleep(0.002)');
  assert.equal(await hasEnded(await openSession(user)), false);
  // Another operator does it, so the first one's kept session ends too.
  const own = await openSession(other);
  await endSessionsOfEveryone(pool, { keptSession: own.id });
  assert.deepEqual([await hasEnded(before[1]), await hasEnded(own)], [true, false]);
});

test('a login stop permanently ends sessions of users, not of operators', async () => {
  const { pool } = registry;
  const [user, admin] = [await makeUser(pool), await makeUser(pool, { role: 'admin' })];
  const sessions = [await openSession(user), await openSession(admin)];
  await pool.query(
    "insert into stops (name, object, previous, stopped_at) values ('logins', '', '', now())",
  );
  assert.equal((await readSwitchesInForce(pool)).areLoginsStopped, true);
  assert.deepEqual(await Promise.all(sessions.map(hasEnded)), [true, false]);
  await pool.query("delete from stops where name = 'logins'");
  assert.equal((await readSwitchesInForce(pool)).areLoginsStopped, false);
  assert.deepEqual(await Promise.all(sessions.map(hasEnded)), [true, false]);
  await pool.query('select pg_sleep(0.002)');
  assert.equal(await hasEnded(await openSession(user)), false);
});

test('each stopped service and read-only mode are read with their version', async () => {
  const { pool } = registry;
  const { version } = await readSwitchesInForce(pool);
  await pool.query(
    `insert into stops (name, object, previous, stopped_at) values
       ('writes', '', '', now()), ('intake', 'notifier', '', now())`,
  );
  const { isReadOnly, stoppedServices, version: later } = await readSwitchesInForce(pool);
  assert.deepEqual([isReadOnly, [...stoppedServices], later], [true, ['notifier'], version + 2]);
});
