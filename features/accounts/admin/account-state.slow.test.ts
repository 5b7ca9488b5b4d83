// Tests accounts that operators freeze, unfreeze, delete and restore, on a real server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { mailsTo } from '../../auth/mails-for-test.ts';
import { PersonForTest } from '../../auth/person-for-test.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
} from '../../auth/registry-for-test.ts';
import { deleteUserAct, freezeUserAct, restoreUserAct, unfreezeUserAct } from './account-state.ts';
import { OperatorForTest } from './acts-for-test.ts';

let tables: RegistryForTest;
let admin: OperatorForTest;

before(async () => {
  tables = await openRegistryForTest();
  admin = await OperatorForTest.make(tables.pool);
});
after(() => tables.close());

const emptyAccount = deleteUserAct({ findContent: async () => [] });

async function rowOf(user: UserId) {
  const { rows } = await tables.pool.query(
    `select state, email, withdrawal_blocked_until > now() as is_held from users where id = $1`,
    [user],
  );
  return rows[0];
}

async function liveSessions(user: UserId): Promise<number> {
  const { rows } = await tables.pool.query(
    'select count(*) as live from sessions where user_id = $1 and revoked_at is null',
    [user],
  );
  return Number(rows[0].live);
}

describe('freezing', () => {
  test('one operator freezes: sessions end, withdrawals pause, the owner is emailed', async () => {
    const { user } = await PersonForTest.make(tables.pool);
    const { assessment, executed } = await admin.mustAct(freezeUserAct, { user });
    assert.equal(assessment.approvals, 0);
    assert.deepEqual([executed.before, executed.after], [{ state: 'active' }, { state: 'frozen' }]);
    const { email, is_held, state } = await rowOf(user);
    assert.deepEqual([state, is_held, await liveSessions(user)], ['frozen', true, 0]);
    const mails = await mailsTo(tables.pool, email);
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['account_frozen'],
    );
  });

  test('freezing again succeeds and sends no second email', async () => {
    const user = await makeUser(tables.pool);
    await admin.mustAct(freezeUserAct, { user });
    await admin.mustAct(freezeUserAct, { user });
    const { email } = await rowOf(user);
    assert.equal((await mailsTo(tables.pool, email)).length, 1);
  });

  test('unfreezing needs another operator and a frozen account', async () => {
    const user = await makeUser(tables.pool);
    assert.equal(await admin.act(unfreezeUserAct, { user }), 'user_not_frozen');
    await admin.mustAct(freezeUserAct, { user });
    const { assessment } = await admin.mustAct(unfreezeUserAct, { user });
    assert.equal(assessment.approvals, 1);
    assert.deepEqual(await rowOf(user).then(({ state }) => state), 'active');
  });

  const states = [
    ['unverified', 'user_not_in_use'],
    ['closed', 'user_not_in_use'],
    ['erased', 'user_is_erased'],
  ] as const;
  for (const [state, refusal] of states) {
    test(`an account in state ${state} is not frozen`, async () => {
      const user = await makeUser(tables.pool, { state });
      assert.equal(await admin.act(freezeUserAct, { user }), refusal);
      assert.equal((await rowOf(user)).state, state);
    });
  }
});

describe('deletion', () => {
  test('an empty account closes, keeps its address, and two operators restore it', async () => {
    const { user } = await PersonForTest.make(tables.pool);
    const { email } = await rowOf(user);
    const deleted = await admin.mustAct(emptyAccount, { user });
    assert.equal(deleted.assessment.approvals, 0);
    assert.deepEqual(await rowOf(user), { state: 'closing', email, is_held: null });
    assert.equal(await liveSessions(user), 0);
    assert.deepEqual(
      (await mailsTo(tables.pool, email)).map(({ kind }) => kind),
      ['account_closing'],
    );
    const restored = await admin.mustAct(restoreUserAct, { user });
    assert.equal(restored.assessment.approvals, 1);
    assert.equal((await rowOf(user)).state, 'active');
    assert.equal(await admin.act(restoreUserAct, { user }), 'user_not_deleted');
  });

  test('an account with content is not deleted', async () => {
    const user = await makeUser(tables.pool);
    const act = deleteUserAct({ findContent: async () => ['a balance'] });
    assert.equal(await admin.act(act, { user }), 'account_not_empty');
    assert.equal((await rowOf(user)).state, 'active');
  });

  test('the account content is read after the account is locked', async () => {
    const user = await makeUser(tables.pool);
    let isLocked = false;
    const act = deleteUserAct({
      async findContent() {
        const other = tables.pool.query('select from users where id = $1 for update nowait', [
          user,
        ]);
        isLocked = await other.then(
          () => false,
          () => true,
        );
        return [];
      },
    });
    await admin.mustAct(act, { user });
    assert.ok(isLocked);
  });

  test('neither an operator nor an already deleted account can be deleted', async () => {
    const operator = await makeUser(tables.pool, { role: 'support' });
    assert.equal(await admin.act(emptyAccount, { user: operator }), 'operator_account_fixed');
    const user = await makeUser(tables.pool);
    await admin.mustAct(emptyAccount, { user });
    assert.equal(await admin.act(emptyAccount, { user }), 'user_not_in_use');
  });
});
