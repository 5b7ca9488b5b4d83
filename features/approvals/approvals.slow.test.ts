// Tests actions, approvals and votes on PostgreSQL: who can vote, how many votes are needed, and
// that an action happens at most once.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { readMails } from '../../testing/identity/read-mails.ts';
import { createSubUser, writePersonal } from '../accounts/index.ts';
import { defineAct } from './act.ts';
import { readApproval } from './approvals.ts';
import { type OperatorForTest, OperatorStage } from './operators-for-test.ts';
import { performAct } from './perform-act.ts';

const DAY_MS = 86_400_000;

let stage: OperatorStage;
let [first, second, third]: OperatorForTest[] = [];
let user: UserId;

describe('approvals', () => {
  before(async () => {
    stage = await OperatorStage.open();
    [first, second, third] = await stage.administrators();
    await stage.pool.query(
      `insert into coins (symbol, fullname, estimated_price) values ('usdt', 'Tether', 1),
         ('btc', 'Bitcoin', 60000), ('new', 'New', null)`,
    );
  });
  beforeEach(async () => {
    user = await stage.user();
    await stage.pool.query('truncate operator_movements');
  });
  after(() => stage.close());

  /** Returns the ID of a pending request. */
  async function waiting(note = 'one'): Promise<number> {
    const performed = await stage.note(first, user, note);
    assert.ok(performed.kind === 'waiting');
    return performed.approval;
  }

  async function noteOf(): Promise<string> {
    const { rows } = await stage.pool.query('select note from users where id = $1', [user]);
    return rows[0].note;
  }

  test('a low-risk action happens immediately, with one audit entry', async () => {
    const performed = await stage.note(first, user, 'hello');
    assert.ok(performed.kind === 'done');
    assert.equal(await noteOf(), 'hello');
    const { rows } = await stage.pool.query(
      'select act, object, actor_id, after from audit_entries order by seq desc limit 1',
    );
    assert.deepEqual(rows[0], {
      act: 'test.note',
      object: `user ${user}`,
      actor_id: `${first.user}`,
      after: { note: 'hello' },
    });
  });

  test('a high-risk action is pending until the last approval', async () => {
    const id = await waiting('two of you');
    assert.equal(await noteOf(), '');
    assert.equal(await stage.vote(second, id), 'pending');
    assert.equal(await noteOf(), '');
    assert.equal(await stage.vote(third, id), 'executed');
    assert.equal(await noteOf(), 'two of you');
    assert.deepEqual((await readApproval(stage.pool, id))?.result, { note: 'two of you' });
  });

  test('every other voting operator gets an email', async () => {
    const isTold = async (id: number, { user }: OperatorForTest) => {
      const mails = await readMails(stage.pool, stage.ports.vault, { user });
      return mails.some(({ values }) => values.title.startsWith(`Request ${id}:`));
    };
    const id = await waiting();
    const told = await Promise.all([first, second, third].map((one) => isTold(id, one)));
    assert.deepEqual(told, [false, true, true]);
  });

  test('one rejection closes the request', async () => {
    const id = await waiting('two of you');
    assert.equal(await stage.vote(second, id, { vote: 'reject' }), 'rejected');
    assert.equal(await stage.vote(third, id), 'approval_ended');
    assert.equal(await noteOf(), '');
  });

  test('abuse 39: the requester and the beneficiaries cannot vote', async () => {
    const id = await waiting();
    assert.equal(await stage.vote(first, id), 'vote_not_independent');
    // The audit log has the request and the rejected vote on it.
    const { rows } = await stage.pool.query(
      'select act from audit_entries where approval_id = $1 order by seq',
      [id],
    );
    assert.deepEqual(
      rows.map(({ act }) => act),
      ['approval.request', 'approval.refused'],
    );
    const paid = await stage.pay(first, second.user, '2000');
    assert.ok(paid.kind === 'waiting');
    assert.equal(await stage.vote(second, paid.approval), 'vote_not_independent');
    assert.equal(await stage.vote(third, paid.approval), 'executed');
  });

  // Each row: how the second account evidently belongs to the requester.
  const MARKS: readonly (readonly [string, (voter: OperatorForTest) => Promise<unknown>])[] = [
    [
      'the same browser',
      async (voter) => {
        for (const one of [first, voter]) {
          await stage.pool.query(
            `insert into devices (user_id, network, browser_hash)
             values ($1, '192.0.2.9', decode(repeat('ab', 32), 'hex'))`,
            [one.user],
          );
        }
      },
    ],
    [
      'the same phone number',
      async (voter) => {
        for (const one of [first, voter]) {
          const written = { phoneNumber: '+49 170 1234567' };
          await writePersonal(stage.pool, stage.ports.vault, one.user, written);
        }
      },
    ],
    [
      'a shared account',
      (voter) =>
        stage.pool.query(
          `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email)
           values ($1, $2, gen_random_uuid(), 1, '')`,
          [first.user, voter.user],
        ),
    ],
    [
      'the same login address, if the exchange is configured so',
      async (voter) => {
        await stage.pool.query('update exchange_control set votes_need_other_address = true');
        for (const one of [first, voter]) {
          await stage.pool.query(
            `insert into logins (user_id, email_mac, outcome, ip)
             values ($1, '', 'success', '198.51.100.7')`,
            [one.user],
          );
        }
      },
    ],
  ];
  for (const [name, mark] of MARKS) {
    test(`abuse 40: a second account of the requester cannot vote: ${name}`, async () => {
      const voter = await stage.operator();
      await mark(voter);
      assert.equal(await stage.vote(voter, await waiting()), 'vote_not_independent');
      await stage.pool.query('update exchange_control set votes_need_other_address = false');
      await stage.pool.query('delete from devices');
      await stage.pool.query('delete from shared_accounts');
      await stage.pool.query('delete from personal_tokens');
    });
  }

  test('abuse 40: two accounts of one approver count as one vote', async () => {
    const [voter, twin] = [await stage.operator(), await stage.operator()];
    for (const one of [voter, twin]) {
      await stage.pool.query(
        `insert into devices (user_id, network, browser_hash)
         values ($1, '192.0.2.9', decode(repeat('cd', 32), 'hex'))`,
        [one.user],
      );
    }
    const id = await waiting('two of you');
    assert.equal(await stage.vote(voter, id), 'pending');
    assert.equal(await stage.vote(twin, id), 'vote_not_independent');
    assert.equal(await stage.vote(third, id), 'executed');
    await stage.pool.query('delete from devices');
  });

  test('abuse 40: a role assigned less than a day ago cannot vote', async () => {
    const fresh = await stage.operator('admin', { roleAgeMs: DAY_MS - 3_600_000 });
    const id = await waiting();
    assert.equal(await stage.vote(fresh, id), 'vote_not_allowed');
    stage.clock.advance(3_600_000);
    assert.equal(await stage.vote(fresh, id), 'executed');
  });

  test('a role without the permission cannot vote', async () => {
    const supporter = await stage.operator('support');
    assert.equal(await stage.vote(supporter, await waiting()), 'vote_not_allowed');
  });

  test('a vote needs a fresh factor, and a wrong factor counts as a failure', async () => {
    const id = await waiting();
    assert.equal(await stage.vote(second, id, { otpCode: '000000' }), 'factor_wrong');
    assert.equal(await stage.vote(second, id, { otpCode: '' }), 'factor_wrong');
    const { rows } = await stage.pool.query(
      `select failures from login_throttles where scope = 'factor'`,
    );
    assert.deepEqual(rows, [{ failures: '1' }]);
    assert.equal(await stage.vote(second, id), 'executed');
  });

  test('an operator cannot vote twice', async () => {
    const id = await waiting('two of you');
    assert.equal(await stage.vote(second, id), 'pending');
    assert.equal(await stage.vote(second, id), 'voted_already');
  });

  test('abuse 41: of 50 concurrent votes, one executes', async () => {
    const id = await waiting();
    const { rows: before } = await stage.pool.query('select count(*) from audit_entries');
    const voters: OperatorForTest[] = [];
    for (let index = 0; index < 5; index++) voters.push(await stage.operator());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => stage.vote(voters[index % 5], id)),
    );
    assert.equal(answers.filter((answer) => answer === 'executed').length, 1);
    const { rows } = await stage.pool.query(
      `select count(*) from audit_entries where act = 'test.note' and approval_id = $1`,
      [id],
    );
    assert.equal(rows[0].count, '1');
    assert.ok(before.length === 1);
  });

  test('abuse 42: a request cannot be changed, even by SQL', async () => {
    const id = await waiting();
    for (const change of [
      `payload = '{"user": 1, "note": "other"}'`,
      `needed = 0`,
      `beneficiaries = '{7}'`,
      `expires_at = expires_at + interval '1 year'`,
    ]) {
      await assert.rejects(
        stage.pool.query(`update approval_requests set ${change} where id = $1`, [id]),
        /does not change/,
        change,
      );
    }
    await assert.rejects(
      stage.pool.query('delete from approval_requests where id = $1', [id]),
      /does not change/,
    );
  });

  test('abuse 42: a vote for another payload does not count', async () => {
    const id = await waiting();
    const payloadHash = 'ab'.repeat(32);
    assert.equal(await stage.vote(second, id, { payloadHash }), 'approval_changed');
  });

  test('abuse 42: a request is stale if its object has changed', async () => {
    const id = await waiting();
    await stage.note(second, user, 'meanwhile');
    assert.equal(await stage.vote(second, id), 'stale');
    assert.equal(await noteOf(), 'meanwhile');
  });

  test('abuse 43: the vote of an operator who lost the role does not count', async () => {
    const leaver = await stage.operator();
    const id = await waiting('two of you');
    assert.equal(await stage.vote(leaver, id), 'pending');
    await stage.pool.query('update users set role = null where id = $1', [leaver.user]);
    assert.equal(await stage.vote(second, id), 'pending');
    assert.equal(await stage.vote(third, id), 'executed');
  });

  test('abuse 43: the request of an operator who lost the role is stale', async () => {
    const leaver = await stage.operator();
    const performed = await stage.note(leaver, user, 'one');
    assert.ok(performed.kind === 'waiting');
    await stage.pool.query(`update users set role = 'support' where id = $1`, [leaver.user]);
    assert.equal(await stage.vote(second, performed.approval), 'stale');
    assert.equal(await noteOf(), '');
  });

  test('a request expires after 24 hours', async () => {
    const id = await waiting();
    stage.clock.advance(DAY_MS);
    assert.equal(await stage.vote(second, id), 'approval_ended');
  });

  // Each row: currency, amounts paid one after another by the same operator, and whether each one
  // is pending.
  const PAYMENTS: readonly (readonly [string, string, readonly string[], string])[] = [
    ['below the first threshold', 'usdt', ['999'], 'done'],
    ['at the first threshold', 'usdt', ['1000'], 'one'],
    ['at the second threshold', 'usdt', ['50000'], 'two'],
    ['in another currency, by its value', 'btc', ['0.02'], 'one'],
    ['in another currency, by a large value', 'btc', ['1'], 'two'],
    ['without a price', 'new', ['0.000001'], 'two'],
    ['abuse 44: a split amount', 'usdt', ['999', '1'], 'done one'],
    [
      'abuse 44: sixty small amounts',
      'usdt',
      Array(60).fill('20'),
      `${'done '.repeat(49)}${'one '.repeat(11)}`.trim(),
    ],
  ];
  for (const [name, currency, amounts, expected] of PAYMENTS) {
    test(`a payment ${name}: ${expected.split(' ').slice(-1)}`, async () => {
      const results: string[] = [];
      for (const amount of amounts) {
        const performed = await stage.pay(first, user, amount, currency);
        if (performed.kind === 'done') results.push('done');
        else if (performed.kind === 'waiting') {
          const row = await readApproval(stage.pool, performed.approval);
          results.push(row?.needed === 2 ? 'two' : 'one');
        }
      }
      assert.equal(results.join(' '), expected);
    });
  }

  test('abuse 44: the operator and the beneficiary each have one total', async () => {
    const [other, another] = [await stage.user(), await stage.user()];
    assert.equal((await stage.pay(first, user, '600')).kind, 'done');
    assert.equal((await stage.pay(second, user, '600')).kind, 'waiting', 'the same beneficiary');
    assert.equal((await stage.pay(first, other, '600')).kind, 'waiting', 'the same operator');
    assert.equal((await stage.pay(second, other, '600')).kind, 'done', 'neither');
    assert.equal((await stage.pay(second, another, '600')).kind, 'waiting', 'the same operator');
    stage.clock.advance(DAY_MS);
    assert.equal((await stage.pay(second, another, '600')).kind, 'done', 'a day later');
  });

  test('abuse 44: the second threshold counts the entire exchange', async () => {
    const large = await stage.pay(first, user, '49600');
    assert.ok(large.kind === 'waiting');
    assert.equal(await stage.vote(second, large.approval), 'executed');
    const paid = await stage.pay(third, await stage.user(), '400');
    assert.ok(paid.kind === 'waiting');
    assert.equal((await readApproval(stage.pool, paid.approval))?.needed, 2);
    assert.equal((await stage.pay(third, await stage.user(), '399')).kind, 'done');
  });

  test('abuse 44: one approver cannot pass a split amount that needs two', async () => {
    const large = await stage.pay(first, user, '49999');
    assert.ok(large.kind === 'waiting');
    assert.equal(await stage.vote(second, large.approval), 'executed');
    const rest = await stage.pay(first, user, '1');
    assert.ok(rest.kind === 'waiting');
    assert.equal((await readApproval(stage.pool, rest.approval))?.needed, 2);
  });

  test('abuse 45: two approvers retype the amount and its unit', async () => {
    const paid = await stage.pay(first, user, '620000', 'btc');
    assert.ok(paid.kind === 'waiting');
    for (const retyped of [undefined, '', '620000', '620000 krw', '62000 btc']) {
      assert.equal(await stage.vote(second, paid.approval, { retyped }), 'retype_differs');
    }
    assert.equal(await stage.vote(second, paid.approval, { retyped: '620000 BTC' }), 'pending');
  });

  test('a role ceiling makes small payments pending', async () => {
    await stage.pool.query(`update roles set money_ceiling = 0 where name = 'supervisor'`);
    const manager = await stage.operator('supervisor');
    assert.equal((await stage.pay(manager, user, '1')).kind, 'waiting');
    assert.equal((await stage.note(manager, user, 'hello')).kind, 'done');
  });

  test('an operator cannot pay their own account family alone', async () => {
    assert.equal((await stage.pay(first, first.user, '1')).kind, 'waiting');
    const sub = await createSubUser(stage.pool, { parent: first.user, kind: 'sub' });
    assert.equal((await stage.pay(first, sub, '1')).kind, 'waiting');
    const guest = await stage.user();
    await stage.pool.query(
      `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email)
       values ($1, $2, gen_random_uuid(), 1, '')`,
      [first.user, guest],
    );
    assert.equal((await stage.pay(first, guest, '1')).kind, 'waiting');
    await stage.pool.query('delete from shared_accounts');
    assert.equal((await stage.pay(first, user, '1')).kind, 'done');
  });

  test('a role removed in the meantime does nothing', async () => {
    const leaver = await stage.operator();
    await stage.pool.query('update users set role = null where id = $1', [leaver.user]);
    assert.deepEqual(await stage.note(leaver, user, 'hello'), new Refused('role_missing'));
  });

  test('the request of a revoked key is stale', async () => {
    const { rows } = await stage.pool.query(
      `insert into api_keys (user_id, name, public_key, kind, sealed, kek_id, expires_at)
       values ($1, 'bot', repeat('a', 40), 'hmac', '', 1, now() + interval '1 day') returning id`,
      [first.user],
    );
    const bot = { ...first, credential: `key ${rows[0].id}`, session: 0 };
    // On two users, because the first note would make another one on the same user stale.
    const asked = [await stage.note(bot, user, 'one'), await stage.note(bot, second.user, 'one')];
    const [passed, stopped] = asked.map((one) => (one.kind === 'waiting' ? one.approval : 0));
    assert.equal(await stage.vote(second, passed), 'executed');
    await stage.pool.query('update api_keys set revoked = true');
    assert.equal(await stage.vote(second, stopped), 'stale');
  });

  test('a permission that the role has lost ends the request', async () => {
    await stage.pool.query(
      `insert into roles (name, permissions, powers)
       values ('noter', array['/notes:put', '/notes:get'], '{}')`,
    );
    const noter = { ...(await stage.operator('noter')), call: '/notes:put' };
    const asked = [
      await stage.note(noter, user, 'one'),
      await stage.note(noter, first.user, 'one'),
    ];
    const [passed, stopped] = asked.map((one) => (one.kind === 'waiting' ? one.approval : 0));
    assert.equal(await stage.vote(second, passed), 'executed');
    await stage.pool.query(`update roles set permissions = '{/notes:get}' where name = 'noter'`);
    assert.equal(await stage.vote(second, stopped), 'stale');
    assert.equal((await readApproval(stage.pool, stopped))?.reason, 'requester_changed');
    assert.deepEqual(await stage.note(noter, user, 'hello'), new Refused('role_missing'));
  });

  test('permissions removed in the meantime do not count', async () => {
    const mailer = defineAct({
      name: 'test.mailer',
      votePower: 'approve.access',
      prepare: async ({ operator }, _: { readonly on: true }) => {
        if (!operator.powers.has('mail.raw')) return new Refused('power_missing');
        const run = async () => ({ result: null });
        return { object: '', objectVersion: '', approvals: 0, beneficiaries: [], shown: [], run };
      },
    });
    const cached = await stage.operator('supervisor');
    const stale = { ...cached, powers: new Set(['mail.raw'] as const) };
    const performed = await performAct(stage.ports, stale, mailer, { on: true });
    assert.deepEqual(performed, new Refused('power_missing'));
  });

  test('the request of a stolen session is stale after the reset', async () => {
    const victim = await stage.operator();
    const asked = await stage.note(victim, user, 'one');
    assert.ok(asked.kind === 'waiting');
    await stage.pool.query(
      'update users set security_version = security_version + 1 where id = $1',
      [victim.user],
    );
    assert.equal(await stage.vote(second, asked.approval), 'stale');
  });

  test('the vote of a stolen session does not count after the reset', async () => {
    const victim = await stage.operator();
    const id = await waiting('two of you');
    assert.equal(await stage.vote(victim, id), 'pending');
    await stage.pool.query(`update sessions set revoked_at = now(), revoked_reason = 'operator'
      where id = ${victim.session}`);
    assert.equal(await stage.vote(second, id), 'pending');
    assert.equal(await stage.vote(third, id), 'executed');
  });

  test('approvers who turn out to be the same person do not execute', async () => {
    const [voter, twin] = [await stage.operator(), await stage.operator()];
    const id = await waiting('two of you');
    assert.equal(await stage.vote(voter, id), 'pending');
    await stage.pool.query(
      `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email)
       values ($1, $2, gen_random_uuid(), 1, '')`,
      [first.user, voter.user],
    );
    assert.equal(await stage.vote(twin, id), 'stale');
    assert.equal((await readApproval(stage.pool, id))?.reason, 'approver_not_independent');
    await stage.pool.query('delete from shared_accounts');
  });
});
