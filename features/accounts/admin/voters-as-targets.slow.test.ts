// Tests actions on the account of a voting operator, on a real server: two conspiring operators
// must not obtain a third one's vote.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { readApproval } from '../../approvals/approvals.ts';
import { type Act, performAct } from '../../approvals/index.ts';
import {
  type OperatorForTest,
  OperatorStage,
  useSolo,
  useTeam,
} from '../../approvals/operators-for-test.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import {
  blockWithdrawalsAct,
  changeEmailAct,
  resetFactorsAct,
  revokeSessionAct,
  verifyEmailAct,
} from '../../auth/admin/index.ts';
import { makeUser } from '../../auth/registry-for-test.ts';
import { restoreUserAct, unfreezeUserAct } from './account-state.ts';
import { OperatorForTest as Actor } from './acts-for-test.ts';

interface TakeOver {
  readonly act: Act<JsonObject, JsonValue, string>;
  /** State in which the action is possible. */
  readonly state: string;
  payload(user: UserId): Promise<JsonObject>;
}

let stage: OperatorStage;
let mails = 0;

const named = async (user: UserId) => ({ user });
const withNewEmail = async (user: UserId) => ({ user, email: `thief${++mails}@example.com` });

const TAKE_OVERS = [
  { act: resetFactorsAct, state: 'active', payload: named },
  { act: changeEmailAct, state: 'active', payload: withNewEmail },
  { act: unfreezeUserAct, state: 'frozen', payload: named },
  { act: restoreUserAct, state: 'closing', payload: named },
  { act: verifyEmailAct, state: 'unverified', payload: named },
] as unknown as readonly TakeOver[];

async function bring(user: UserId, state: string): Promise<void> {
  await stage.pool.query('update users set state = $2 where id = $1', [user, state]);
}

describe('the account of a voting operator', () => {
  let admins: readonly OperatorForTest[];

  before(async () => {
    stage = await OperatorStage.open();
    admins = [...(await stage.administrators()), await stage.operator()];
  });
  after(() => stage.close());

  for (const { act, payload, state } of TAKE_OVERS) {
    test(`abuse 40: ${act.name} of a supervisor needs two other operators`, async () => {
      const victim = await stage.operator('supervisor');
      await bring(victim.user, state);
      const [thief, accomplice] = admins;
      const asked = await performAct(stage.ports, thief, act, await payload(victim.user));
      assert.ok(asked.kind === 'waiting', asked.kind);
      assert.equal((await readApproval(stage.pool, asked.approval))?.needed, 2);
      assert.equal(await stage.vote(accomplice, asked.approval), 'pending');
    });

    test(`abuse 40: after ${act.name}, the account cannot vote for 24 hours`, async () => {
      const victim = await stage.operator('supervisor');
      const [thief] = admins;
      await bring(victim.user, state);
      await new Actor(stage.pool, thief).mustAct(act, await payload(victim.user));
      const { rows } = await stage.pool.query(
        `select role_since > now() - interval '1 minute' as "isNew" from users where id = $1`,
        [victim.user],
      );
      assert.deepEqual(rows, [{ isNew: true }]);
    });
  }

  test('abuse 40: a vote with the new factor is rejected, an old one does not count', async () => {
    const [thief, accomplice] = admins;
    const victim = await stage.operator('supervisor');
    const user = await stage.user();
    const early = await stage.note(thief, user, 'two early');
    assert.ok(early.kind === 'waiting');
    assert.equal(await stage.vote(victim, early.approval), 'pending');
    stage.clock.advance(1_000);
    const nowMs = stage.clock.nowMs();
    const payload = await withNewEmail(victim.user);
    await new Actor(stage.pool, thief).mustAct(changeEmailAct, payload, { nowMs });
    // The thief logs in to the account.
    await stage.pool.query('update sessions set revoked_at = null where id = $1', [victim.session]);
    await stage.pool.query(
      `update sessions s set security_version = u.security_version from users u
       where u.id = s.user_id and s.id = $1`,
      [victim.session],
    );
    const late = await stage.note(thief, user, 'two late');
    assert.ok(late.kind === 'waiting');
    assert.equal(await stage.vote(victim, late.approval), 'vote_not_allowed');
    assert.equal(await stage.vote(accomplice, early.approval), 'pending');
  });

  test('one operator can change non-voting operators like other users', async () => {
    const [admin] = admins;
    const support = await stage.operator('support');
    const actor = new Actor(stage.pool, admin);
    const { assessment } = await actor.mustAct(resetFactorsAct, { user: support.user });
    assert.equal(assessment.approvals, 1);
  });

  test('one operator can stop the account of a voting operator', async () => {
    const [admin] = admins;
    const { session, user } = await stage.operator('supervisor');
    const actor = new Actor(stage.pool, admin);
    const ended = await actor.mustAct(revokeSessionAct, { session });
    assert.equal(ended.assessment.approvals, 0);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const blocked = await actor.mustAct(blockWithdrawalsAct, { user, until });
    assert.equal(blocked.assessment.approvals, 0);
  });
});

describe('the account of another administrator', () => {
  let admin: OperatorForTest;
  let other: UserId;

  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
    other = await makeUser(stage.pool, { role: 'admin' });
  });
  after(() => stage.close());

  for (const { act, payload, state } of TAKE_OVERS) {
    if (act.name === 'user.reset-factors') continue;
    test(`abuse 40: an administrator can do ${act.name} alone only in solo mode`, async () => {
      await bring(other, state);
      await useTeam(stage.pool);
      const asked = await performAct(stage.ports, admin, act, await payload(other));
      assert.ok(asked.kind === 'waiting');
      assert.equal((await readApproval(stage.pool, asked.approval))?.needed, 2);
      await useSolo(stage.pool);
      const done = await performAct(stage.ports, admin, act, await payload(other));
      assert.equal(done.kind, 'done');
    });
  }
});
