// Tests reveals on a real server: one user at a time, 15 minutes, a second factor, and a review by
// another operator.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { writePersonal } from '../accounts/index.ts';
import { performAct } from '../approvals/index.ts';
import { type OperatorForTest, OperatorStage } from '../approvals/operators-for-test.ts';
import { totpCode } from '../auth/index.ts';
import { REVIEW_REVEAL } from './admin.ts';
import {
  listAccesses,
  openReveal,
  type RevealAsked,
  type RevealVerdict,
  revealPerson,
} from './reveals.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let stage: OperatorStage;

describe('reveals', () => {
  before(async () => {
    stage = await OperatorStage.open();
  });
  after(() => stage.close());

  test('abuse 50: a reveal shows named fields of one user for fifteen minutes', async () => {
    const [operator, subject, other] = [
      await stage.operator(),
      await stage.user(),
      await stage.user(),
    ];
    assert.equal(await fieldsOf(operator, subject), 'none');
    assert.match(await reveal(operator, subject), /^\d+$/);
    assert.equal(await fieldsOf(operator, subject), 'email full_name');
    assert.equal(await fieldsOf(operator, other), 'none', 'a second subject');
    assert.equal(await fieldsOf(await stage.operator(), subject), 'none', 'another operator');
    assert.equal(await reveal(operator, other), 'reveal_open');
    // The calls above took two minutes.
    stage.clock.advance(13 * MINUTE_MS - 1);
    assert.equal(await fieldsOf(operator, subject), 'email full_name');
    stage.clock.advance(1);
    assert.equal(await fieldsOf(operator, subject), 'none', 'the 16th minute');
    assert.match(await reveal(operator, other), /^\d+$/);
  });

  test('abuse 50: without permission or with a wrong code, nothing is revealed', async () => {
    const subject = await stage.user();
    for (const role of ['support', 'kyc', 'communicator']) {
      assert.equal(await reveal(await stage.operator(role), subject), 'power_missing', role);
    }
    const operator = await stage.operator('supervisor');
    assert.equal(await reveal(operator, subject, { otpCode: '' }), 'factor_wrong');
    assert.equal(await reveal(operator, subject, { otpCode: '000000' }), 'factor_wrong');
    const otpCode = totpCode(operator.secret, stage.clock.nowMs());
    assert.match(await reveal(operator, subject, { otpCode }, 0), /^\d+$/);
    assert.equal(await reveal(operator, subject, { otpCode }, 0), 'factor_wrong', 'twice');
    const { rows } = await stage.pool.query(
      `select act, object, after, sealed is not null as sealed
       from audit_entries where actor_id = $1`,
      [operator.user],
    );
    const [{ after, ...entry }] = rows;
    assert.deepEqual(entry, { act: 'people.reveal', object: `user ${subject}`, sealed: true });
    assert.deepEqual(Object.keys(after), ['fields', 'reveal'], 'neither reason nor ticket');
    assert.deepEqual(after.fields, ['full_name', 'email']);
  });

  test('abuse 50: reviewers, but not the operator, are notified immediately', async () => {
    const [operator, subject, supervisor] = [
      await stage.operator(),
      await stage.user(),
      await stage.operator('supervisor'),
    ];
    const support = await stage.operator('support');
    const id = await reveal(operator, subject, { ticket: 'T-secret' });
    const { rows } = await stage.pool.query(
      `select user_id, kek_id, sealed from mail_outbox where kind = 'operator_message'
         and user_id = any($1::bigint[]) order by id desc`,
      [[operator.user, subject, supervisor.user, support.user]],
    );
    assert.deepEqual(
      rows.map(({ user_id }) => Number(user_id)),
      [supervisor.user],
    );
    assert.match(id, /^\d+$/);
  });

  test('abuse 50: reveals have a budget of ten per day for every role', async () => {
    const operator = await stage.operator('supervisor');
    for (let one = 0; one < 10; one++) {
      assert.match(await reveal(operator, await stage.user(), {}, 20 * MINUTE_MS), /^\d+$/);
    }
    const next = await stage.user();
    assert.equal(await reveal(operator, next, {}, 20 * MINUTE_MS), 'lookup_budget_spent');
    assert.match(await reveal(operator, next, {}, DAY_MS - 200 * MINUTE_MS), /^\d+$/);
  });

  test('abuse 50: a reveal counts toward the budget of the role', async () => {
    await stage.pool.query(
      `insert into roles (name, permissions, powers, lookups_per_hour)
       values ('glazier', '{}', '{break_glass}', 1)`,
    );
    const operator = await stage.operator('glazier');
    assert.match(await reveal(operator, await stage.user()), /^\d+$/);
    const next = await stage.user();
    assert.equal(await reveal(operator, next, {}, 20 * MINUTE_MS), 'lookup_budget_spent');
    assert.match(await reveal(operator, next, {}, 41 * MINUTE_MS), /^\d+$/);
  });

  test('abuse 50: a new operator or one who shares a phone cannot review', async () => {
    const [operator, subject] = [await stage.operator(), await stage.user()];
    const id = await reveal(operator, subject);
    const young = await stage.operator('supervisor', { roleAgeMs: 86_000_000 });
    assert.equal(await review(young, id), 'vote_not_allowed');
    const second = await stage.operator('supervisor');
    for (const user of [operator.user, second.user]) {
      await writePersonal(stage.pool, stage.ports.vault, user, { phoneNumber: '+41441234567' });
    }
    assert.equal(await review(second, id), 'vote_not_independent');
    assert.equal(await review(await stage.operator('supervisor'), id), 'done');
  });

  test('abuse 50: without a review within 72 hours, the permission is suspended', async () => {
    const [operator, reviewer] = [await stage.operator(), await stage.operator('supervisor')];
    const id = await reveal(operator, await stage.user());
    stage.clock.advance(72 * HOUR_MS - 5 * MINUTE_MS);
    const second = await reveal(operator, await stage.user());
    assert.match(second, /^\d+$/);
    stage.clock.advance(HOUR_MS);
    assert.equal(await reveal(operator, await stage.user()), 'reveal_suspended');
    assert.equal(await review(operator, id), 'reveal_own');
    assert.equal(await review(reviewer, id), 'done');
    assert.match(await reveal(operator, await stage.user()), /^\d+$/);
  });

  test('abuse 50: an unjustified reveal suspends the permission before 72 hours', async () => {
    const [operator, reviewer] = [await stage.operator(), await stage.operator('supervisor')];
    const id = await reveal(operator, await stage.user());
    assert.equal(await review(reviewer, id, 'unjustified'), 'done');
    stage.clock.advance(HOUR_MS);
    assert.equal(await reveal(operator, await stage.user()), 'reveal_suspended');
    assert.equal(await review(reviewer, id, 'justified'), 'done');
    assert.match(await reveal(operator, await stage.user()), /^\d+$/);
    assert.equal(await review(reviewer, id), 'reveal_reviewed');
  });

  test('neither support nor the affected user can review', async () => {
    const [operator, subject] = [await stage.operator(), await stage.operator('supervisor')];
    const id = await reveal(operator, subject.user);
    assert.equal(await review(await stage.operator('support'), id), 'vote_not_allowed');
    assert.equal(await review(subject, id), 'reveal_own');
    assert.equal(await review(subject, '999999'), 'reveal_unknown');
  });

  test('the user sees the access after 30 days, without the operator', async () => {
    const [operator, subject] = [await stage.operator(), await stage.user()];
    await reveal(operator, subject);
    const accesses = () =>
      listAccesses(stage.pool, { subject, nowMs: stage.clock.nowMs(), limit: 10 });
    stage.clock.advance(30 * DAY_MS - MINUTE_MS);
    assert.deepEqual(await accesses(), []);
    stage.clock.advance(MINUTE_MS);
    const [access, ...others] = await accesses();
    assert.deepEqual(others, []);
    assert.deepEqual(access.fields, ['full_name', 'email']);
    assert.deepEqual(Object.keys(access), ['at', 'fields']);
  });

  test('a missing user cannot be revealed', async () => {
    assert.equal(await reveal(await stage.operator(), 999_999 as UserId), 'user_not_found');
  });
});

/** Returns the reveal ID, or the rejection. */
async function reveal(
  operator: OperatorForTest,
  subject: UserId,
  change: Partial<RevealAsked> = {},
  afterMs = MINUTE_MS,
): Promise<string> {
  stage.clock.advance(afterMs);
  const nowMs = stage.clock.nowMs();
  const { session, user } = operator;
  const circumstances = { time: '', ip: '192.0.2.1', country: '', device: '', freezeToken: '' };
  const act = { user, flow: { network: '192.0.2.1', session }, circumstances, nowMs };
  const asked: RevealAsked = {
    subject,
    fields: ['full_name', 'email'],
    reason: 'the court asks for the name',
    ticket: 'T-1',
    otpCode: totpCode(operator.secret, nowMs),
    ...change,
  };
  const revealed = await revealPerson(stage.ports, { operator, act }, asked);
  return revealed instanceof Refused ? revealed.key : `${revealed.id}`;
}

async function review(
  operator: OperatorForTest,
  id: string,
  verdict: RevealVerdict = 'justified',
): Promise<string> {
  const payload = { id: Number(id), verdict, comment: '' };
  const performed = await performAct(stage.ports, operator, REVIEW_REVEAL, payload);
  return performed instanceof Refused ? performed.key : performed.kind;
}

async function fieldsOf(operator: OperatorForTest, subject: UserId): Promise<string> {
  const open = await openReveal(stage.pool, {
    operator: operator.user,
    subject,
    nowMs: stage.clock.nowMs(),
  });
  return open === undefined ? 'none' : [...open.fields].sort().join(' ');
}
