// Tests withdrawal reviews on a real PostgreSQL: who can approve, claim, release and complete, that
// the policy runs again before a claim, and that only one of a cancellation and a claim wins.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { inOwnTransaction } from '../../../testing/outbox/own-transaction.ts';
import type { PersonForTest } from '../../auth/person-for-test.ts';
import { makeUser } from '../../auth/registry-for-test.ts';
import { hasOpenRequests, listCancellableWithdrawals } from '../request-lists.ts';
import { cancelUnclaimedWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { PROJECTIONS, WithdrawalsForTest } from '../withdrawals/withdrawals-for-test.ts';
import {
  type Approver,
  approveIn,
  claimIn,
  completeIn,
  endIn,
  type Payer,
  type Reviewed,
  releaseIn,
} from './withdrawal-review.ts';

const approveWithdrawal = inOwnTransaction(approveIn);
const claimWithdrawal = inOwnTransaction(claimIn);
const releaseWithdrawal = inOwnTransaction(releaseIn);
const completeWithdrawal = inOwnTransaction(completeIn);
const endWithdrawal = inOwnTransaction(endIn);

const RACES = 30;
/** Replaced by real users when the suite starts. */
const ONE = { user: 0 as UserId, isAdmin: false };
const TWO = { user: 0 as UserId, isAdmin: false };
const ADMIN = { user: 0 as UserId, isAdmin: true };

let stage: WithdrawalsForTest;

type Step = [
  who: Payer | 'owner',
  what: 'approve' | 'claim' | 'release' | 'complete' | 'dismiss' | 'reject' | 'cancel' | 'settle',
];

function take([who, what]: Step, id: number, { user }: PersonForTest): Promise<Reviewed> {
  const payer = who === 'owner' ? { user, isAdmin: false } : who;
  return withConnection(stage.pool, async (connection) => {
    switch (what) {
      case 'approve':
        return approve(id, payer.user);
      case 'claim':
        return claimWithdrawal(connection, { id }, { payer, projectionSchema: PROJECTIONS });
      case 'release':
        return releaseWithdrawal(connection, { id }, payer);
      case 'complete':
        return completeWithdrawal(
          connection,
          { id },
          { payer, transactionId: 'chain', projectionSchema: PROJECTIONS },
        );
      case 'dismiss':
      case 'reject': {
        const as = what === 'reject' ? 'rejected' : 'dismissed';
        return endWithdrawal(connection, { id }, { as, payer });
      }
      case 'cancel':
        return cancelUnclaimedWithdrawal(connection, { id }, user);
      case 'settle':
        await stage.settle();
        return { kind: 'moved', id };
    }
  });
}

/** Proves a second factor unless overridden. */
function approve(id: number, user: UserId, change: Partial<Approver> = {}): Promise<Reviewed> {
  const approver = { user, isProven: true, isAlone: false, nowMs: Date.now(), ...change };
  return withConnection(stage.pool, (connection) =>
    approveWithdrawal(connection, { id }, approver),
  );
}

/** Creates an operator whose role is two days old. */
async function makeOperator(role = 'supervisor'): Promise<UserId> {
  const user = await makeUser(stage.pool, { role });
  await set(user, `role_since = now() - interval '2 days'`);
  return user;
}

function set(user: UserId, assignment: string): Promise<unknown> {
  return stage.pool.query(`update users set ${assignment} where id = $1`, [user]);
}

function outcomeOf(result: Reviewed): string {
  return result instanceof Refused ? result.key : result.kind;
}

describe('withdrawal reviews', () => {
  before(async () => {
    stage = await WithdrawalsForTest.open();
    for (const operator of [ONE, TWO, ADMIN]) operator.user = await makeOperator();
  });
  after(() => stage.close());

  const table: [what: string, reviews: number, steps: Step[], outcome: string, state: string][] = [
    ['a claim', 0, [[ONE, 'claim']], 'requested', 'claimed'],
    [
      'a claim again',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'claim'],
      ],
      'requested',
      'claimed',
    ],
    [
      'a claim of a claimed withdrawal',
      0,
      [
        [ONE, 'claim'],
        [TWO, 'claim'],
      ],
      'withdrawal_claimed_by_another',
      'claimed',
    ],
    [
      'an administrator claims a claimed withdrawal',
      0,
      [
        [ONE, 'claim'],
        [ADMIN, 'claim'],
      ],
      'withdrawal_claimed_by_another',
      'claimed',
    ],
    [
      'a release',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'release'],
      ],
      'moved',
      'approved',
    ],
    [
      'a release by another operator',
      0,
      [
        [ONE, 'claim'],
        [TWO, 'release'],
      ],
      'withdrawal_claimed_by_another',
      'claimed',
    ],
    [
      'a release by an administrator',
      0,
      [
        [ONE, 'claim'],
        [ADMIN, 'release'],
      ],
      'moved',
      'approved',
    ],
    ['a release without a claim', 0, [[ONE, 'release']], 'moved', 'approved'],
    [
      'a completion',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'complete'],
      ],
      'requested',
      'completing',
    ],
    ['a completion without a claim', 0, [[ONE, 'complete']], 'requested', 'completing'],
    [
      'a completion by another operator',
      0,
      [
        [ONE, 'claim'],
        [TWO, 'complete'],
      ],
      'withdrawal_claimed_by_another',
      'claimed',
    ],
    [
      'a completion twice',
      0,
      [
        [ONE, 'complete'],
        [ONE, 'complete'],
      ],
      'withdrawal_under_way',
      'completing',
    ],
    [
      'a claim after completion',
      0,
      [
        [ONE, 'complete'],
        [ONE, 'settle'],
        [ONE, 'claim'],
      ],
      'withdrawal_under_way',
      'completed',
    ],
    ['a cancellation', 0, [['owner', 'cancel']], 'requested', 'canceling'],
    [
      'a cancellation after a claim',
      0,
      [
        [ONE, 'claim'],
        ['owner', 'cancel'],
      ],
      'withdrawal_under_way',
      'claimed',
    ],
    [
      'a cancellation after a release',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'release'],
        ['owner', 'cancel'],
      ],
      'requested',
      'canceling',
    ],
    [
      'a dismissal after a claim',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'dismiss'],
      ],
      'requested',
      'dismissing',
    ],
    [
      'a rejection after a claim',
      0,
      [
        [ONE, 'claim'],
        [ONE, 'reject'],
      ],
      'requested',
      'rejecting',
    ],
    ['a dismissal', 0, [[ONE, 'dismiss']], 'requested', 'dismissing'],
    ['an unneeded approval', 0, [[ONE, 'approve']], 'moved', 'approved'],
    ['a claim before the approval', 1, [[ONE, 'claim']], 'withdrawal_under_way', 'in_review'],
    [
      'a completion before the approval',
      1,
      [[ONE, 'complete']],
      'withdrawal_under_way',
      'in_review',
    ],
    ['an approval', 1, [[ONE, 'approve']], 'moved', 'approved'],
    [
      'an approval by the owner',
      1,
      [['owner', 'approve']],
      'withdrawal_of_own_family',
      'in_review',
    ],
    ['the first of two approvals', 2, [[ONE, 'approve']], 'moved', 'in_review'],
    [
      'the same operator twice',
      2,
      [
        [ONE, 'approve'],
        [ONE, 'approve'],
      ],
      'withdrawal_already_approved',
      'in_review',
    ],
    [
      'an administrator twice',
      2,
      [
        [ADMIN, 'approve'],
        [ADMIN, 'approve'],
      ],
      'withdrawal_already_approved',
      'in_review',
    ],
    [
      'two operators',
      2,
      [
        [ONE, 'approve'],
        [TWO, 'approve'],
      ],
      'moved',
      'approved',
    ],
    ['a cancellation in review', 1, [['owner', 'cancel']], 'requested', 'canceling'],
    ['a rejection in review', 1, [[ONE, 'reject']], 'requested', 'rejecting'],
  ];
  for (const [what, reviews, steps, outcome, state] of table) {
    test(`${what}: ${outcome}, then ${state}`, async () => {
      const person = await stage.person();
      const id = await reviewed(person, reviews);
      let last = '';
      for (const step of steps) last = outcomeOf(await take(step, id, person));
      assert.equal(last, outcome);
      assert.equal(await stage.stateOf(id), state);
      await stage.settle();
    });
  }

  test('no operator changes a claim of custody, not even an administrator', async () => {
    const person = await stage.person();
    const id = await stage.approved(person);
    await take([ONE, 'claim'], id, person);
    await stage.pool.query(
      "update withdrawal_requests set claimed_for = 'custody', claimed_by = null where id = $1",
      [id],
    );
    for (const who of [ONE, ADMIN]) {
      for (const what of ['claim', 'release', 'complete', 'reject'] as const) {
        const outcome = outcomeOf(await take([who, what], id, person));
        assert.equal(outcome, 'withdrawal_claimed_for_custody', what);
      }
    }
    assert.equal(await stage.stateOf(id), 'claimed');
  });

  test("a user cannot cancel another user's request", async () => {
    const [person, stranger] = [await stage.person(), await stage.person()];
    const id = await stage.approved(person);
    assert.equal(outcomeOf(await take(['owner', 'cancel'], id, stranger)), 'withdrawal_not_found');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  test('abuse 39: members of an account family cannot approve for each other', async () => {
    const person = await stage.person();
    const { rows } = await stage.pool.query(
      `insert into users (email, username, affiliation_code, kind, parent_id)
       values ('sub@example.com', 'sub', 'SUBSUB', 'sub', $1) returning id`,
      [person.user],
    );
    const sub = { user: Number(rows[0].id) as UserId, isAdmin: true };
    const id = await reviewed(person, 1);
    assert.equal(outcomeOf(await take([sub, 'approve'], id, person)), 'withdrawal_of_own_family');
    assert.equal(await stage.stateOf(id), 'in_review');
  });

  // A stolen key or session, or a recently granted role, cannot approve.
  const notApprovers: [who: string, make: () => Promise<UserId>, refusal: string][] = [
    ['an operator whose role turns a day old tomorrow', newOperator, 'vote_not_allowed'],
    ['a manager, who can only request', () => makeOperator('manager'), 'vote_not_allowed'],
    ['a frozen supervisor', frozenOperator, 'vote_not_allowed'],
  ];
  for (const [who, make, refusal] of notApprovers) {
    test(`abuse 40: ${who} cannot approve a withdrawal but can reject it: ${refusal}`, async () => {
      const person = await stage.person();
      const id = await reviewed(person, 1);
      const user = await make();
      assert.equal(outcomeOf(await approve(id, user)), refusal);
      assert.equal(await stage.stateOf(id), 'in_review');
      const ended = await take([{ user, isAdmin: false }, 'reject'], id, person);
      assert.equal(outcomeOf(ended), 'requested');
    });
  }

  test('without a second factor, a withdrawal cannot be approved', async () => {
    const id = await reviewed(await stage.person(), 1);
    const result = await approve(id, ONE.user, { isProven: false });
    assert.equal(outcomeOf(result), 'withdrawal_approval_needs_factor');
    assert.equal(await stage.stateOf(id), 'in_review');
    assert.equal(outcomeOf(await approve(id, ONE.user)), 'moved');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  test('abuse 40: an operator who shares a browser with the owner cannot approve', async () => {
    const person = await stage.person();
    const id = await reviewed(person, 1);
    const operator = await makeOperator();
    for (const user of [person.user, operator]) await logInWith('the browser of both', user);
    const result = await approve(id, operator);
    assert.deepEqual(result, new Refused('vote_not_independent', { mark: 'device' }));
  });

  test('abuse 40: two accounts of one person are not two approvals', async () => {
    const id = await reviewed(await stage.person(), 2);
    const [first, twin, second] = [
      await makeOperator(),
      await makeOperator(),
      await makeOperator(),
    ];
    for (const user of [first, twin]) await logInWith('the browser of twins', user);
    assert.equal(outcomeOf(await approve(id, first)), 'moved');
    assert.equal(outcomeOf(await approve(id, twin)), 'vote_not_independent');
    assert.equal(await stage.stateOf(id), 'in_review');
    assert.equal(outcomeOf(await approve(id, second)), 'moved');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  test('an administrator in solo mode approves alone what needs two operators', async () => {
    const owner = await stage.person();
    const id = await reviewed(owner, 2);
    const alone = { isProven: false, isAlone: true };
    assert.equal(outcomeOf(await approve(id, owner.user, alone)), 'moved');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  test('with other operators, the same person cannot approve again a day later', async () => {
    const id = await reviewed(await stage.person(), 2);
    const nowMs = Date.now();
    await approve(id, ONE.user, { nowMs });
    const again = await approve(id, ONE.user, { nowMs: nowMs + 2 * 86_400_000 });
    assert.equal(outcomeOf(again), 'withdrawal_already_approved');
  });

  test('abuse 43: an approval no longer counts if the operator lost the permission', async () => {
    const id = await reviewed(await stage.person(), 2);
    const gone = await makeOperator();
    assert.equal(outcomeOf(await approve(id, gone)), 'moved');
    await set(gone, 'role = null');
    assert.equal(outcomeOf(await approve(id, ONE.user)), 'moved');
    assert.equal(await stage.stateOf(id), 'in_review');
    assert.equal(outcomeOf(await approve(id, TWO.user)), 'moved');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  test('a release that the engine rejected needs one more review, by any operator', async () => {
    const person = await stage.person();
    const id = await reviewed(person, 1);
    await take([ONE, 'approve'], id, person);
    await take(['owner', 'cancel'], id, person);
    await stage.settle('available_balance_too_small');
    assert.equal(await stage.stateOf(id), 'in_review');
    assert.equal(outcomeOf(await take([ONE, 'claim'], id, person)), 'withdrawal_under_way');
    assert.equal(outcomeOf(await take([ONE, 'approve'], id, person)), 'moved');
    assert.equal(await stage.stateOf(id), 'approved');
  });

  const between: [what: string, sets: string, rule: string][] = [
    ['a reset', `withdrawal_blocked_until = now() + interval '24 hours'`, 'credential_hold'],
    ['a frozen account', `state = 'frozen'`, 'account_active'],
    ['a lower level', 'verification_level = 0', 'level'],
    ['only the book', 'book_only = true', 'book_only'],
  ];
  for (const [what, sets, rule] of between) {
    for (const act of ['claim', 'complete'] as const) {
      test(`abuse 28: ${what} between request and ${act}: rejected by ${rule}`, async () => {
        const person = await stage.person();
        const id = await stage.approved(person);
        await stage.pool.query(`update users set ${sets} where id = $1`, [person.user]);
        const result = await take([ONE, act], id, person);
        assert.deepEqual(
          [outcomeOf(result), result instanceof Refused && result.details.rule],
          ['withdrawal_refused_by_policy', rule],
        );
        assert.equal(await stage.stateOf(id), 'approved');
        assert.deepEqual(await stage.commandsWaiting(), []);
      });
    }
  }

  test('abuse 28: an earlier claim can be completed, as it might have been paid', async () => {
    const person = await stage.person();
    const id = await stage.approved(person);
    await take([ONE, 'claim'], id, person);
    await stage.pool.query(
      `update users set withdrawal_blocked_until = now() + interval '1 day' where id = $1`,
      [person.user],
    );
    assert.equal(outcomeOf(await take([ONE, 'complete'], id, person)), 'requested');
    await stage.settle();
    assert.equal(await stage.stateOf(id), 'completed');
  });

  test('a freeze cancels unpaid withdrawals, and an account with any stays open', async () => {
    const cancellable = ['unconfirmed', 'awaiting_recipient', 'in_review', 'approved'];
    const others = ['opening', 'executing', 'claimed', 'completing', 'canceling', 'expiring'];
    for (const state of [...cancellable, ...others]) {
      const { user } = await stage.person();
      const { rows } = await stage.pool.query(
        `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
         values ('withdrawal', $1, 1, 'xrp', 6, 5, 1, 'xrp', 6, 0, 'a', 'frozen', $2)
         returning id`,
        [user, state],
      );
      const expected = cancellable.includes(state) ? [Number(rows[0].id)] : [];
      assert.deepEqual(await listCancellableWithdrawals(stage.pool, user), expected, state);
      assert.equal((await hasOpenRequests(stage.pool, user)).withdrawal, true, state);
    }
  });

  test('of a concurrent cancellation and claim, exactly one wins', async () => {
    const won = { claim: 0, cancel: 0 };
    for (let race = 0; race < RACES; race++) {
      const person = await stage.person();
      const id = await stage.approved(person);
      const results = await Promise.all([
        take([ONE, 'claim'], id, person),
        take(['owner', 'cancel'], id, person),
      ]);
      const [claimed, canceled] = results.map(({ kind }) => kind !== 'refused');
      assert.notEqual(claimed, canceled);
      won[claimed ? 'claim' : 'cancel'] += 1;
      await stage.settle();
      assert.equal(await stage.stateOf(id), claimed ? 'claimed' : 'canceled');
    }
    assert.equal(won.claim + won.cancel, RACES);
  });

  test('of two operators who claim concurrently, exactly one wins', async () => {
    for (let race = 0; race < RACES; race++) {
      const person = await stage.person();
      const id = await stage.approved(person);
      const results = await Promise.all(
        [ONE, TWO].map((operator) => take([operator, 'claim'], id, person)),
      );
      assert.deepEqual(results.map(outcomeOf).sort(), [
        'requested',
        'withdrawal_claimed_by_another',
      ]);
    }
  });
});

async function newOperator(): Promise<UserId> {
  const user = await makeOperator();
  await set(user, `role_since = now() - interval '23 hours'`);
  return user;
}

async function frozenOperator(): Promise<UserId> {
  const user = await makeOperator();
  await set(user, `state = 'frozen'`);
  return user;
}

async function logInWith(browser: string, user: UserId): Promise<void> {
  await stage.pool.query(
    `insert into devices (user_id, network, browser_hash) values ($1, '192.0.2.9', sha256($2))`,
    [user, Buffer.from(browser)],
  );
}

/** Creates a withdrawal on hold that needs this many reviews. */
async function reviewed(person: PersonForTest, reviews: number): Promise<number> {
  const { code, id } = await stage.mailed(person);
  await stage.pool.query('update withdrawal_requests set reviews_needed = $2 where id = $1', [
    id,
    reviews,
  ]);
  await stage.confirm(code);
  await stage.settle();
  return id;
}
