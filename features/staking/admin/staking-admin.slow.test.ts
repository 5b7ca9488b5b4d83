// Tests actions on pools and stakes on a real database: what they reject, how many approvals they
// need, and what they move.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { allowed, prepareForTest, RefusedInTest } from '../../approvals/act-for-test.ts';
import type { Act, ActContext, Assessment } from '../../approvals/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { dayAfter } from '../exchange-day.ts';
import { findPool } from '../pools.ts';
import { openStake } from '../stakes.ts';
import {
  atoms,
  BTC,
  makePool,
  makeUser,
  noonOf,
  openStakingForTest,
  readStake,
  SCHEMA,
  START_DAY,
  type StakingForTest,
  stake,
  work,
  workUntil,
} from '../staking-for-test.ts';
import type { PoolInput } from './pool-terms.ts';
import { changePoolAct, createPoolAct, terminatePoolAct } from './pools.ts';
import { adjustStakeAct } from './stakes.ts';

const COIN = atoms('1', 8);

describe('staking actions', () => {
  let stage: StakingForTest;
  let operator: UserId;

  before(async () => {
    stage = await openStakingForTest();
    operator = await makeUser(stage.registry, 'admin');
  });
  after(() => stage?.close());

  function contextAt(day: string, connection: Connection): ActContext {
    return {
      connection,
      operator: {
        user: operator,
        role: 'admin',
        powers: new Set(),
        permissions: new Set(['*']),
        call: '',
        credential: 'session 1',
        session: 1,
        address: '192.0.2.1',
      },
      vault: undefined as never,
      nowMs: noonOf(day),
      exchange: { name: 'Rialto', projectionSchema: SCHEMA },
    };
  }

  interface Done<Result> {
    readonly assessment: Assessment;
    readonly result: Result;
  }

  async function act<Payload extends JsonObject, Result extends JsonValue>(
    one: Act<Payload, Result, string>,
    payload: Payload,
    day = START_DAY,
  ): Promise<Done<Result>> {
    const { registry } = stage;
    await registry.query('begin');
    try {
      const context = contextAt(day, registry);
      const assessment = await prepareForTest(one, context, payload);
      const { result } = allowed(await assessment.run());
      await registry.query('commit');
      return { assessment, result };
    } catch (fault) {
      await registry.query('rollback');
      throw fault;
    }
  }

  const refusedBy = (refusal: string) => (fault: unknown) =>
    fault instanceof RefusedInTest && fault.refusal === refusal;

  /** Creates a user who stakes one coin. */
  async function stakedCoin(terms: Parameters<typeof makePool>[1] = {}) {
    const pool = await makePool(stage, terms);
    const user = await makeUser(stage.registry);
    stage.ledger.credit(user, BTC.id, COIN);
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    return { id, pool, user };
  }

  let pools = 0;
  const input = (changed: PoolInput = {}): { pool: PoolInput } => {
    pools += 1;
    return {
      pool: {
        name: `act ${pools}`,
        currency: 'btc',
        account_id: operator,
        apy: '5.25',
        duration: 30,
        min_amount: '0.1',
        max_amount: '10',
        early_unstake: true,
        ...changed,
      },
    };
  };

  test('a new pool does nothing and needs one operator', async () => {
    const { assessment, result } = await act(createPoolAct, input({ apy: '0.000001' }));
    assert.equal(assessment.approvals, 0);
    const pool = (await findPool(stage.registry, result.id))!;
    assert.deepEqual(
      [pool.state, pool.onboarding, pool.apyMicro, pool.user, pool.rewardAsset.symbol],
      ['uninitialized', false, 1n, operator, 'btc'],
    );
    const { rows } = await stage.registry.query('select kind, role from users where id = $1', [
      pool.reserve,
    ]);
    assert.deepEqual(rows, [{ kind: 'house', role: null }]);
  });

  const REFUSED: [title: string, changed: PoolInput, refusal: string][] = [
    ['the last status', { status: 'terminated' }, 'stake_status_invalid'],
    [
      'no end and slashes',
      { duration: null, early_unstake: false, slashing_earning_percentage: '1' },
      'stake_without_end',
    ],
    ['a missing account', { account_id: 999_999 }, 'stake_account_missing'],
    ['an unknown coin', { currency: 'none' }, 'currency_invalid'],
    ['a reward without a price', { reward_currency: 'usdt' }, 'stake_reward_without_price'],
    ['a blank name', { name: '  ' }, 'stake_value_invalid'],
    ['a minimum of zero', { min_amount: '0' }, 'stake_value_invalid'],
    ['a maximum below the minimum', { max_amount: '0.09999999' }, 'stake_value_invalid'],
    ['a negative rate', { apy: '-1' }, 'stake_value_invalid'],
    ['a rate with seven decimals', { apy: '1.0000001' }, 'stake_value_invalid'],
    ['a rate above 10,000%', { apy: '10000.000001' }, 'stake_value_invalid'],
    ['a slash above 100%', { slashing_principle_percentage: '100.0001' }, 'stake_value_invalid'],
    ['ten years and a day', { duration: 3_651 }, 'stake_value_invalid'],
  ];
  for (const [title, changed, refusal] of REFUSED) {
    test(`a new pool is rejected with ${title}`, async () => {
      await assert.rejects(act(createPoolAct, input(changed)), refusedBy(refusal));
    });
  }

  const ACCEPTED: [title: string, changed: PoolInput, expected: object, approvals: number][] = [
    ['active and open', { status: 'active', onboarding: true }, { state: 'active' }, 1],
    ['paused', { status: 'paused' }, { state: 'paused', onboarding: false }, 0],
    ['open when it starts', { onboarding: true }, { state: 'uninitialized', onboarding: true }, 0],
    ['one amount', { max_amount: '0.1' }, { minAtoms: 10_000_000n, maxAtoms: 10_000_000n }, 0],
    ['no end', { duration: null }, { durationDays: null, earlyUnstake: true }, 0],
    [
      'no slashing',
      { slashing: false, slashing_principle_percentage: '5' },
      { principalSlashPpm: 0n, rewardSlashPpm: 0n },
      0,
    ],
    [
      'slashing',
      { slashing: true, slashing_principle_percentage: '5' },
      { principalSlashPpm: 50_000n },
      0,
    ],
  ];
  for (const [title, changed, expected, approvals] of ACCEPTED) {
    test(`a new pool can be ${title}`, async () => {
      const { assessment, result } = await act(createPoolAct, input(changed));
      assert.equal(assessment.approvals, approvals);
      assert.partialDeepStrictEqual(await findPool(stage.registry, result.id), expected);
    });
  }

  test('a pool opened before its start accepts stakes once it has started', async () => {
    const { result } = await act(createPoolAct, input({ onboarding: true }));
    const user = await makeUser(stage.registry);
    const asked = { user, pool: result.id, amountAtoms: COIN, nowMs: noonOf(START_DAY) };
    const early = await openStake(stage.registry, asked);
    assert.deepEqual(early, new Refused('stake_pool_not_found'));
    await act(changePoolAct, { id: result.id, pool: { status: 'active' } });
    assert.ok(!((await openStake(stage.registry, asked)) instanceof Refused));
  });

  test('only an operator can be made to pay rewards', async () => {
    const user = await makeUser(stage.registry);
    const named = act(createPoolAct, input({ account_id: user }));
    await assert.rejects(named, refusedBy('stake_account_not_of_operator'));
    // Not even the reserve of another pool, which holds users' coins.
    const { reserve } = await makePool(stage);
    const drained = act(createPoolAct, input({ account_id: reserve }));
    await assert.rejects(drained, refusedBy('stake_account_not_of_operator'));
  });

  test('a pool name is unique', async () => {
    const { pool } = input();
    const { result } = await act(createPoolAct, { pool });
    await assert.rejects(act(createPoolAct, { pool }), refusedBy('stake_name_taken'));
    const other = await act(createPoolAct, input());
    const renamed = { id: other.result.id, pool: { name: pool.name! } };
    await assert.rejects(act(changePoolAct, renamed), refusedBy('stake_name_taken'));
    await act(changePoolAct, { id: result.id, pool: { name: pool.name! } });
  });

  test('starting and new terms need another operator; stopping and texts do not', async () => {
    const { result } = await act(createPoolAct, input());
    const change = async (pool: PoolInput) =>
      (await act(changePoolAct, { id: result.id, pool })).assessment.approvals;
    assert.equal(await change({ apy: '6', min_amount: '0.2' }), 0, 'no user is affected yet');
    assert.equal(await change({ status: 'active' }), 1);
    assert.equal(await change({ onboarding: true }), 1);
    assert.equal(await change({ apy: '7' }), 1);
    assert.equal(await change({ max_amount: '11' }), 1);
    assert.equal(await change({ account_id: await makeUser(stage.registry, 'admin') }), 1);
    assert.equal(await change({ disclaimer: 'Coins can be lost.', category: 'new' }), 0);
    assert.equal(await change({ onboarding: false }), 0);
    assert.equal(await change({ status: 'paused' }), 0);
    assert.equal(await change({ status: 'paused', apy: '900' }), 1, 'hidden behind a pause');
    assert.equal(await change({ status: 'active' }), 1);
    await assert.rejects(change({ currency: 'usdt' }), refusedBy('stake_field_fixed'));
    await assert.rejects(change({ status: 'uninitialized' }), refusedBy('stake_status_invalid'));
    await assert.rejects(change({ status: 'terminated' }), refusedBy('stake_pool_not_paused'));
    const other = await act(createPoolAct, input({ slashing_principle_percentage: '5' }));
    await act(changePoolAct, { id: other.result.id, pool: { slashing: false } });
    assert.equal((await findPool(stage.registry, other.result.id))?.principalSlashPpm, 0n);
  });

  test('voters see all terms of a pool, including unapproved ones', async () => {
    const { result } = await act(createPoolAct, input());
    const { id } = result;
    // No user is affected yet, so one operator can change them without approval.
    await act(changePoolAct, { id, pool: { apy: '9000', slashing_principle_percentage: '99' } });
    const { assessment } = await act(changePoolAct, { id, pool: { status: 'active' } });
    const shown = Object.fromEntries(assessment.shown.map(({ label, value }) => [label, value]));
    assert.deepEqual(shown, {
      pool: `${id} act ${pools}`,
      name: `act ${pools}`,
      status: 'uninitialized → active',
      onboarding: 'false',
      currency: 'btc',
      reward_currency: 'btc',
      account_id: `${operator}`,
      apy: '9000',
      duration: '30',
      min_amount: '0.1',
      max_amount: '10',
      early_unstake: 'true',
      slashing_principle_percentage: '99',
      slashing_earning_percentage: '0',
      is_automatic: 'true',
      category: 'null',
      disclaimer: 'null',
    });
  });

  test("a pool's account benefits from its start, its terms and its end", async () => {
    const { assessment, result } = await act(createPoolAct, input());
    const { id } = result;
    assert.deepEqual(assessment.beneficiaries, [operator]);
    const gains = async (pool: PoolInput) =>
      (await act(changePoolAct, { id, pool })).assessment.beneficiaries;
    assert.deepEqual(await gains({ status: 'active' }), [operator]);
    const other = await makeUser(stage.registry, 'admin');
    assert.deepEqual(await gains({ account_id: other }), [operator, other]);
    assert.deepEqual(await gains({ status: 'paused' }), [other]);
    const ended = await act(terminatePoolAct, { id });
    assert.deepEqual(ended.assessment.beneficiaries, [other]);
  });

  test('only a paused pool ends, permanently, and pays its stakes without slashes', async () => {
    const { id, pool, user } = await stakedCoin();
    stage.ledger.credit(pool.account, BTC.id, COIN);
    const day = await workUntil(stage, START_DAY, 5);
    const terminate = () => act(terminatePoolAct, { id: pool.id }, day);
    await assert.rejects(terminate(), refusedBy('stake_pool_not_paused'));
    await act(changePoolAct, { id: pool.id, pool: { status: 'paused' } }, day);
    assert.equal((await terminate()).assessment.approvals, 1);
    await assert.rejects(terminate(), refusedBy('stake_pool_terminated'));
    const again = act(changePoolAct, { id: pool.id, pool: { status: 'active' } }, day);
    await assert.rejects(again, refusedBy('stake_pool_terminated'));
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.equal(stage.ledger.balance(user, BTC.id), COIN + (COIN * 5n) / 1_000n);
  });

  test('an adjusted reward moves money, needs a vote, and is paid with the stake', async () => {
    const { id, pool, user } = await stakedCoin();
    stage.ledger.credit(pool.account, BTC.id, COIN);
    const day = await workUntil(stage, START_DAY, 10);
    // From 0.01 to 0.05.
    const { assessment } = await act(adjustStakeAct, { id, reward: '0.05', nav: '1.5' }, day);
    assert.deepEqual(
      [assessment.approvals, assessment.money, assessment.beneficiaries],
      [1, { currency: 'btc', amount: '0.04' }, [user]],
    );
    await work(stage, day);
    assert.equal(stage.ledger.balance(pool.reserve, BTC.id), COIN + COIN / 20n);
    assert.equal((await readStake(stage, id)).navAtoms, atoms('1.5', 8));
    // Down to 0.02, and ends it.
    const down = await act(adjustStakeAct, { id, reward: '0.02', status: 'unstaking' }, day);
    // The pool's account gets it back.
    assert.deepEqual(down.assessment.beneficiaries, [user, pool.account]);
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.equal(stage.ledger.balance(user, BTC.id), COIN + COIN / 50n);
    assert.equal(stage.ledger.balance(pool.reserve, BTC.id), 0n);
    const late = act(adjustStakeAct, { id, reward: '1' }, day);
    await assert.rejects(late, refusedBy('stake_has_ended'));
  });

  test('a stake closed by an operator is paid at no cost before it is closed', async () => {
    const { id, user } = await stakedCoin({ principalSlashPpm: 500_000n });
    const day = dayAfter(START_DAY);
    await act(adjustStakeAct, { id, status: 'staking' });
    assert.equal((await readStake(stage, id)).state, 'staking');
    await act(adjustStakeAct, { id, status: 'closed' });
    assert.equal((await readStake(stage, id)).state, 'unstaking');
    const back = act(adjustStakeAct, { id, status: 'staking' });
    await assert.rejects(back, refusedBy('stake_status_invalid'));
    await act(adjustStakeAct, { id, status: 'closed' });
    await work(stage, day);
    assert.equal(stage.ledger.balance(user, BTC.id), COIN);
  });

  test("an unfunded reward is not taken from other users' coins", async () => {
    const { id, pool } = await stakedCoin();
    const day = await workUntil(stage, START_DAY, 3);
    const lowered = act(adjustStakeAct, { id, reward: '0' }, day);
    await assert.rejects(lowered, refusedBy('stake_reward_not_funded'));
    assert.equal(stage.ledger.balance(pool.reserve, BTC.id), COIN);
  });

  test('an adjustment that the account cannot fund yet is paid when it can', async () => {
    const { id, pool, user } = await stakedCoin({ apyMicro: 0n });
    await act(adjustStakeAct, { id, reward: '0.5', status: 'unstaking' });
    await work(stage, dayAfter(START_DAY));
    assert.equal((await readStake(stage, id)).state, 'settling');
    assert.equal(stage.ledger.balance(user, BTC.id), COIN);
    stage.ledger.credit(pool.account, BTC.id, COIN);
    await work(stage, dayAfter(START_DAY));
    await work(stage, dayAfter(START_DAY));
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.equal(stage.ledger.balance(user, BTC.id), COIN + COIN / 2n);
  });
});
