// Tests the account family lock on a real PostgreSQL: accounts in one family wait for each other,
// others do not.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction, type OwnConnection } from '../../infra/postgres/index.ts';
import { makeUser, openRegistryForTest, type RegistryForTest } from '../auth/registry-for-test.ts';
import { isSameFamily, lockFamilies, lockFamily } from './family.ts';

const LOCK_NOT_AVAILABLE = '55P03';

let registry: RegistryForTest;
let holder: OwnConnection;
let other: OwnConnection;
let parent: UserId;
let sub: UserId;
let sibling: UserId;
let stranger: UserId;

async function makeSub(): Promise<UserId> {
  const user = await makeUser(registry.pool);
  const text = `update users set kind = 'sub', parent_id = $2 where id = $1`;
  const { pool } = registry;
  await pool.query(text, [user, parent]);
  return user;
}

/**
 * Whether the lock can be taken without waiting while another transaction holds the lock on `held`.
 */
async function isFree(held: UserId, lock: (connection: Connection) => Promise<unknown>) {
  return inTransaction(holder, async () => {
    await lockFamily(holder, held);
    try {
      await inTransaction(other, async () => {
        await other.query(`set local lock_timeout = '100ms'`);
        await lock(other);
      });
      return true;
    } catch (fault) {
      assert.equal((fault as { code?: string }).code, LOCK_NOT_AVAILABLE);
      return false;
    }
  });
}

before(async () => {
  registry = await openRegistryForTest();
  [holder, other] = [await registry.connection(), await registry.connection()];
  [parent, stranger] = [await makeUser(registry.pool), await makeUser(registry.pool)];
  [sub, sibling] = [await makeSub(), await makeSub()];
});
after(() => registry.close());

for (const [what, held, wanted, expected] of [
  ['the parent waits for the parent', () => parent, () => parent, false],
  ['the parent waits for a sub-account', () => sub, () => parent, false],
  ['a sub-account waits for the parent', () => parent, () => sub, false],
  ['sub-accounts wait for each other', () => sub, () => sibling, false],
  ['a stranger does not wait', () => sub, () => stranger, true],
  ['a family does not wait for a stranger', () => stranger, () => sub, true],
] as const) {
  test(what, async () => {
    assert.equal(await isFree(held(), (connection) => lockFamily(connection, wanted())), expected);
    const both = (connection: Connection) => lockFamilies(connection, [wanted()]);
    assert.equal(await isFree(held(), both), expected);
  });
}

test('a locked family names the user, the parent and the kind', async () => {
  const locked = await inTransaction(holder, () => lockFamily(holder, sub));
  assert.deepEqual(locked, { user: sub, parent, kind: 'sub' });
  const unknown = 999_999 as UserId;
  assert.equal(await inTransaction(holder, () => lockFamily(holder, unknown)), undefined);
  assert.equal(await inTransaction(holder, () => lockFamilies(holder, [sub, unknown])), false);
  assert.equal(await inTransaction(holder, () => lockFamilies(holder, [sub, stranger])), true);
});

test('a family is the parent and its sub-accounts', async () => {
  assert.equal(await isSameFamily(registry.pool, sub, sibling), true);
  assert.equal(await isSameFamily(registry.pool, sub, parent), true);
  assert.equal(await isSameFamily(registry.pool, sub, stranger), false);
});
