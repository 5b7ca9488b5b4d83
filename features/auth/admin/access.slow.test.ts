// Tests operator changes to second factors, email addresses, sessions and blocks, on a real server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { OperatorForTest } from '../../accounts/admin/acts-for-test.ts';
import { eraseUser } from '../../accounts/index.ts';
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts';
import { factorsOf } from '../factors/second-factor.ts';
import { mailsTo } from '../mails-for-test.ts';
import { readPassword } from '../passwords/passwords.ts';
import { PersonForTest } from '../person-for-test.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import {
  blockWithdrawalsAct,
  changeEmailAct,
  type EmailPayload,
  resetFactorsAct,
  revokeSessionAct,
  verifyEmailAct,
} from './access.ts';

const HOUR_MS = 3_600_000;
const NEW = 'new.address@example.com';

let tables: RegistryForTest;
let admin: OperatorForTest;

before(async () => {
  tables = await openRegistryForTest();
  admin = await OperatorForTest.make(tables.pool);
});
after(() => tables.close());

async function rowOf(user: UserId) {
  const { rows } = await tables.pool.query('select * from users where id = $1', [user]);
  return rows[0];
}

/** Whole hours until the hold ends. */
async function heldHours(user: UserId): Promise<number> {
  const { withdrawal_blocked_until: until } = await rowOf(user);
  return until === null ? 0 : Math.round((until.getTime() - Date.now()) / HOUR_MS);
}

async function payloadFor(user: number, email: string): Promise<EmailPayload> {
  return { user, email };
}

describe('factors', () => {
  test('another operator approves; factors are removed, withdrawals pause 72 hours', async () => {
    const { session, user } = await PersonForTest.make(tables.pool);
    await replaceRecoveryCodes(tables.pool, user);
    const { assessment, executed } = await admin.mustAct(resetFactorsAct, { user });
    assert.equal(assessment.approvals, 1);
    assert.deepEqual(executed.effects, { accessOf: [user] });
    assert.deepEqual(await factorsOf(tables.pool, user), {
      otp: false,
      passkeys: 0,
      recoveryCodes: 0,
    });
    assert.equal(await heldHours(user), 72);
    const { rows } = await tables.pool.query('select revoked_reason from sessions where id = $1', [
      session,
    ]);
    assert.equal(rows[0].revoked_reason, 'factor_reset_by_operator');
    const { email } = await rowOf(user);
    const mails = await mailsTo(tables.pool, email);
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['factor_removed'],
    );
    assert.notEqual(mails[0].freezeToken, '');
  });

  test('resetting a user without a factor succeeds and changes nothing', async () => {
    const user = await makeUser(tables.pool);
    const { executed } = await admin.mustAct(resetFactorsAct, { user });
    assert.deepEqual([executed.before, executed.effects], [{ factors: false }, undefined]);
    assert.deepEqual(await mailsTo(tables.pool, (await rowOf(user)).email), []);
    assert.equal(await heldHours(user), 0);
  });
});

describe('email', () => {
  test('another operator approves and reads the new address; a request seals it', async () => {
    const { user } = await PersonForTest.make(tables.pool);
    const { email: old } = await rowOf(user);
    const payload = await payloadFor(user, ' New.Address@Example.com ');
    assert.deepEqual(changeEmailAct.personal, ['email']);
    const { assessment, executed } = await admin.mustAct(changeEmailAct, payload);
    assert.equal(assessment.approvals, 1);
    const line = { label: 'New email address', value: NEW, isPersonal: true };
    assert.deepEqual(assessment.shown.at(-1), line);
    assert.deepEqual([executed.before, executed.after], [undefined, undefined]);
    assert.deepEqual(executed.personal, { before: old, after: NEW });
    assert.equal((await rowOf(user)).email, NEW);
    assert.equal(await heldHours(user), 72);
    const kinds = (await mailsTo(tables.pool, old)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['email_changed']);
  });

  test('a taken, invalid or current address is rejected', async () => {
    const user = await makeUser(tables.pool);
    const { email } = await rowOf(user);
    const other = await makeUser(tables.pool);
    const cases = [
      [(await rowOf(other)).email, 'email_taken'],
      ['nothing', 'email_invalid'],
      [email.toUpperCase(), 'email_unchanged'],
    ] as const;
    for (const [wanted, refusal] of cases) {
      assert.equal(await admin.act(changeEmailAct, await payloadFor(user, wanted)), refusal);
    }
    assert.equal((await rowOf(user)).email, email);
  });

  test('after an erasure, a pending request is unreadable', async () => {
    const user = await makeUser(tables.pool);
    const payload = await payloadFor(user, 'late@example.com');
    await tables.pool.query("update users set state = 'closed' where id = $1", [user]);
    await withConnection(tables.pool, (connection) => eraseUser(connection, user));
    assert.equal(await admin.act(changeEmailAct, payload), 'user_is_erased');
  });

  test('one operator verifies an address; no password of a stranger is accepted', async () => {
    const user = await makeUser(tables.pool, { state: 'unverified' });
    const { assessment } = await admin.mustAct(verifyEmailAct, { user });
    assert.equal(assessment.approvals, 0);
    assert.equal((await rowOf(user)).state, 'active');
    assert.equal(await readPassword(tables.pool, vault, user), undefined);
    assert.equal(await admin.act(verifyEmailAct, { user }), 'email_already_verified');
  });
});

describe('sessions', () => {
  test('a session is revoked once', async () => {
    const { session, user } = await PersonForTest.make(tables.pool);
    const { assessment, executed } = await admin.mustAct(revokeSessionAct, { session });
    assert.equal(assessment.object, `user ${user}`);
    assert.deepEqual(executed.effects, { accessOf: [user] });
    assert.equal(await admin.act(revokeSessionAct, { session }), 'session_not_found');
  });

  test('abuse 35: a session of a protected user is rejected like its owner', async () => {
    const boss = await PersonForTest.make(tables.pool, { role: 'supervisor' });
    const kyc = await OperatorForTest.make(tables.pool, 'kyc');
    const { session } = boss;
    assert.equal(await kyc.act(revokeSessionAct, { session }), 'act_on_higher_role');
    assert.equal(await kyc.act(revokeSessionAct, { session: 9_999_999 }), 'session_not_found');
  });
});

describe('blocked withdrawals', () => {
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

  test('one operator extends a block, two shorten it', async () => {
    const user = await makeUser(tables.pool);
    const steps = [
      [at(10), 0],
      [at(20), 0],
      [at(15), 1],
      [null, 1],
      [null, 0],
      [at(1), 0],
    ] as const;
    for (const [until, approvals] of steps) {
      const done = await admin.mustAct(blockWithdrawalsAct, { user, until });
      assert.equal(done.assessment.approvals, approvals, `${until}`);
      const { withdrawal_blocked_until: now } = await rowOf(user);
      assert.equal(now?.toISOString() ?? null, until);
    }
  });

  test('an end in the past is rejected', async () => {
    const user = await makeUser(tables.pool);
    const answer = await admin.act(blockWithdrawalsAct, { user, until: at(-1) });
    assert.equal(answer, 'block_end_in_past');
  });
});
