// Tests solo and team mode on PostgreSQL: who acts alone, who approves, and how far a key is
// trusted.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { readMails } from '../../testing/identity/read-mails.ts';
import { createSubUser } from '../accounts/index.ts';
import { grantKey } from './admin/key-grants.ts';
import { type ActTable, readApproval } from './approvals.ts';
import { setThresholds } from './control.ts';
import { listKeyGrants } from './key-grants.ts';
import { type OperatorForTest, OperatorStage, useSolo, useTeam } from './operators-for-test.ts';
import { performAct } from './perform-act.ts';

const DAY_MS = 86_400_000;
const USES = { solo: useSolo, team: useTeam } as const;
const GRANTS = new Map([[grantKey.name, grantKey]]) as unknown as ActTable;

let stage: OperatorStage;
let [admin, second, third, supervisor, adminKey, supervisorKey]: OperatorForTest[] = [];
let user: UserId;

/** Returns the outcome: done, the number of approvals needed, or the rejection. */
async function outcomeOf(
  work: ReturnType<OperatorStage['pay']> | ReturnType<OperatorStage['note']>,
) {
  const performed = await work;
  if (performed instanceof Refused) return performed.key;
  if (performed.kind === 'done') return 'done';
  return (await readApproval(stage.pool, performed.approval))?.needed;
}

const keyOf = ({ credential }: OperatorForTest) => Number(credential.slice('key '.length));

describe('control modes', () => {
  before(async () => {
    stage = await OperatorStage.open();
    [admin, second, third] = await stage.administrators();
    supervisor = await stage.operator('supervisor');
    adminKey = await stage.key(admin);
    supervisorKey = await stage.key(supervisor);
    await stage.pool.query(
      `insert into coins (symbol, fullname, estimated_price) values ('usdt', 'Tether', 1),
         ('new', 'New', null)`,
    );
  });
  beforeEach(async () => {
    user = await stage.user();
    await stage.pool.query('truncate operator_movements');
    await stage.pool.query('delete from key_grants');
  });
  after(() => stage.close());

  type What = (operator: OperatorForTest) => ReturnType<typeof outcomeOf>;
  const below: What = (one) => outcomeOf(stage.pay(one, user, '999'));
  const above: What = (one) => outcomeOf(stage.pay(one, user, '1000'));
  const far: What = (one) => outcomeOf(stage.pay(one, user, '50000'));
  const unpriced: What = (one) => outcomeOf(stage.pay(one, user, '1', 'new'));
  const own: What = (one) => outcomeOf(stage.pay(one, one.user, '1'));
  const fixed: What = (one) => outcomeOf(stage.note(one, user, 'two of you'));

  // Each row: mode, daily limit of the keys, action, then the outcome for an administrator, for
  // the administrator's key, for a supervisor, and for the supervisor's key.
  type Outcome = 'done' | 1 | 2 | 'key_daily_limit';
  const TABLE: readonly (readonly [
    'solo' | 'team',
    string | undefined,
    string,
    What,
    Outcome,
    Outcome,
    Outcome,
    Outcome,
  ])[] = [
    ['solo', undefined, 'below the threshold', below, 'done', 'done', 'done', 'done'],
    ['solo', undefined, 'above the threshold', above, 'done', 'done', 1, 1],
    ['solo', undefined, 'above the second threshold', far, 'done', 'done', 1, 1],
    ['solo', undefined, 'without a price', unpriced, 'done', 'done', 1, 1],
    ['solo', undefined, 'to their own account', own, 'done', 'done', 1, 1],
    ['solo', undefined, 'that always needs two', fixed, 'done', 'done', 1, 1],
    ['solo', '1000', 'within the limit', above, 'done', 'done', 1, 1],
    ['solo', '999', 'above the limit', above, 'done', 'key_daily_limit', 1, 1],
    ['solo', '998', 'above the limit', below, 'done', 'key_daily_limit', 'done', 'key_daily_limit'],
    ['solo', '998', 'without a price', unpriced, 'done', 'key_daily_limit', 1, 1],
    ['solo', '0', 'that always needs two', fixed, 'done', 'done', 1, 1],
    ['team', undefined, 'below the threshold', below, 'done', 'done', 'done', 'done'],
    ['team', undefined, 'above the threshold', above, 1, 1, 1, 1],
    ['team', undefined, 'above the second threshold', far, 2, 2, 2, 2],
    ['team', undefined, 'without a price', unpriced, 2, 2, 2, 2],
    ['team', undefined, 'to their own account', own, 1, 1, 1, 1],
    ['team', undefined, 'that always needs two', fixed, 2, 2, 2, 2],
    ['team', '1000', 'within the limit', above, 1, 'done', 1, 'done'],
    ['team', '50000', 'within the limit', far, 2, 'done', 2, 'done'],
    ['team', '999', 'above the limit', above, 1, 1, 1, 1],
    ['team', '0', 'below the threshold', below, 'done', 'done', 'done', 'done'],
    ['team', '50000', 'without a price', unpriced, 2, 2, 2, 2],
    ['team', '50000', 'to their own account', own, 1, 1, 1, 1],
    ['team', '50000', 'that always needs two', fixed, 2, 2, 2, 2],
  ];
  for (const [mode, limit, name, act, ...outcomes] of TABLE) {
    const trusted = limit === undefined ? '' : `, with a daily limit of ${limit}`;
    test(`${mode}: an action ${name}${trusted}: ${outcomes.join(', ')}`, async () => {
      await USES[mode](stage.pool);
      const found: unknown[] = [];
      for (const operator of [admin, adminKey, supervisor, supervisorKey]) {
        await stage.pool.query('truncate operator_movements');
        if (limit !== undefined && operator.session === 0) await stage.grant(operator, limit);
        user = await stage.user();
        found.push(await act(operator));
      }
      assert.deepEqual(found, outcomes);
    });
  }

  test('the role ceiling applies in both modes; a grant lifts it in team mode', async () => {
    await stage.pool.query(`update roles set money_ceiling = 100 where name = 'supervisor'`);
    const pay = (one: OperatorForTest) => outcomeOf(stage.pay(one, user, '101'));
    for (const mode of ['solo', 'team'] as const) {
      await USES[mode](stage.pool);
      assert.equal(await pay(supervisor), 1);
      assert.equal(await pay(supervisorKey), 1);
    }
    await stage.grant(supervisorKey, '101');
    assert.equal(await pay(supervisor), 1);
    assert.equal(await pay(supervisorKey), 'done');
    await stage.pool.query(`update roles set money_ceiling = null where name = 'supervisor'`);
  });

  for (const mode of ['solo', 'team'] as const) {
    test(`${mode}: a daily limit counts the key's actions within 24 hours`, async () => {
      await USES[mode](stage.pool);
      await stage.grant(adminKey, '5000');
      const pay = (amount: string) => outcomeOf(stage.pay(adminKey, user, amount));
      const refused = mode === 'solo' ? 'key_daily_limit' : 1;
      assert.equal(await pay('3000'), 'done');
      assert.equal(await pay('2001'), refused);
      assert.equal(await pay('2000'), 'done');
      assert.equal(await pay('1000'), refused);
      const other = await stage.key(admin);
      await stage.grant(other, '5000');
      assert.equal(await outcomeOf(stage.pay(other, user, '5000')), 'done', 'each key has its own');
      stage.clock.advance(DAY_MS);
      assert.equal(await pay('5000'), 'done', 'a day later');
    });
  }

  test('team: a key pays neither its owner nor the account family unapproved', async () => {
    await useTeam(stage.pool);
    await stage.grant(adminKey, '5000');
    const sub = await createSubUser(stage.pool, { parent: admin.user, kind: 'sub' });
    assert.equal(await outcomeOf(stage.pay(adminKey, sub, '1')), 1);
  });

  test('team: thresholds count neither granted payments nor those in solo mode', async () => {
    await useSolo(stage.pool);
    assert.equal(await outcomeOf(stage.pay(admin, user, '60000')), 'done');
    await useTeam(stage.pool);
    await stage.grant(adminKey, '70000');
    assert.equal(await outcomeOf(stage.pay(adminKey, user, '60000')), 'done');
    assert.equal(await outcomeOf(stage.pay(admin, user, '999')), 'done');
    assert.equal(await outcomeOf(stage.pay(admin, user, '1')), 1);
  });

  test('solo: only administrators approve, even those of today', async () => {
    await useSolo(stage.pool);
    const today = await stage.operator('admin', { roleAgeMs: 0 });
    const voter = await stage.operator('supervisor');
    const asked = await stage.pay(supervisor, today.user, '1000');
    assert.ok(asked.kind === 'waiting');
    for (const one of [supervisor, voter]) {
      assert.equal(await stage.vote(one, asked.approval), 'vote_needs_administrator');
    }
    assert.equal(await stage.vote(today, asked.approval), 'executed');
  });

  test('a solo mode request needs the approvals of team mode after the change', async () => {
    await useSolo(stage.pool);
    const asked = await stage.note(supervisor, user, 'two of you');
    assert.ok(asked.kind === 'waiting');
    await useTeam(stage.pool);
    assert.equal(await stage.vote(second, asked.approval), 'stale');
    assert.equal((await readApproval(stage.pool, asked.approval))?.reason, 'more_approvals_needed');
  });

  // Each row: amount and currency of a payment, and whether administrators get an email.
  for (const [amount, currency, isTold] of [
    ['9999', 'usdt', false],
    ['10000', 'usdt', true],
    ['1', 'new', true],
  ] as const) {
    test(`${isTold ? 'an' : 'no'} email to administrators: ${amount} ${currency}`, async () => {
      await useSolo(stage.pool);
      await setThresholds(stage.pool, { notifyFrom: '10000' });
      const count = async (one: OperatorForTest) => {
        const mails = await readMails(stage.pool, stage.ports.vault, { user: one.user });
        return mails.filter(({ values }) => values.title === 'Money moved: test.pay').length;
      };
      const all = [admin, second, supervisor];
      const before = await Promise.all(all.map(count));
      assert.equal(await outcomeOf(stage.pay(adminKey, user, amount, currency)), 'done');
      const found = (await Promise.all(all.map(count))).map((one, at) => one - before[at]);
      assert.deepEqual(found, isTold ? [1, 1, 0] : [0, 0, 0]);
    });
  }

  test('team: administrators get the email when a payment is executed, not before', async () => {
    await useTeam(stage.pool);
    const titles = async () => {
      const mails = await readMails(stage.pool, stage.ports.vault, { user: third.user });
      return mails.filter(({ values }) => values.title === 'Money moved: test.pay').length;
    };
    const before = await titles();
    const asked = await stage.pay(admin, user, '20000');
    assert.ok(asked.kind === 'waiting');
    assert.equal(await titles(), before);
    assert.equal(await stage.vote(second, asked.approval), 'executed');
    assert.equal(await titles(), before + 1);
  });

  describe('grants', () => {
    const grant = (operator: OperatorForTest, dailyLimit: string | null, mayReadPersonal = false) =>
      performAct(stage.ports, operator, grantKey, {
        key: keyOf(adminKey),
        dailyLimit,
        mayReadPersonal,
      });

    test("more needs another operator's approval in team mode, less does not", async () => {
      await useTeam(stage.pool);
      const asked = await grant(admin, '500');
      assert.ok(asked.kind === 'waiting');
      assert.deepEqual(await listKeyGrants(stage.pool), []);
      assert.equal(await stage.vote(admin, asked.approval, {}, GRANTS), 'vote_not_independent');
      assert.equal(await stage.vote(second, asked.approval, {}, GRANTS), 'executed');
      const [found] = await listKeyGrants(stage.pool);
      assert.deepEqual(
        [found.key, found.dailyLimit, found.grantedBy],
        [keyOf(adminKey), '500', admin.user],
      );
      assert.equal((await grant(admin, '501')).kind, 'waiting');
      assert.equal((await grant(admin, '500', true)).kind, 'waiting');
      assert.equal((await grant(admin, '499')).kind, 'done');
      assert.equal((await grant(admin, null)).kind, 'done');
      assert.deepEqual(await listKeyGrants(stage.pool), []);
    });

    test('an administrator grants alone in solo mode', async () => {
      await useSolo(stage.pool);
      assert.equal((await grant(admin, '500', true)).kind, 'done');
      const [found] = await listKeyGrants(stage.pool);
      assert.deepEqual([found.dailyLimit, found.mayReadPersonal], ['500', true]);
    });

    test('only active keys of operators get a grant', async () => {
      const key = keyOf(await stage.key(admin));
      const refused = async () => {
        const wanted = { key, dailyLimit: '1', mayReadPersonal: false };
        const performed = await performAct(stage.ports, admin, grantKey, wanted);
        return performed instanceof Refused ? performed.key : performed.kind;
      };
      for (const change of ['revoked = true', `revoked = false, role = 'user'`]) {
        await stage.pool.query(`update api_keys set ${change} where id = $1`, [key]);
        assert.equal(await refused(), 'key_grant_key_unknown', change);
      }
    });
  });
});
