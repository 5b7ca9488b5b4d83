// Tests the lifecycle of pools and stakes on a real database; a test ledger settles the outbox.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { enqueue, OUTBOX_CHANNELS } from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { describeKit } from '../listings/index.ts';
import { accrueRewards } from './accrue.ts';
import { advanceStakes } from './advance.ts';
import { dayAfter } from './exchange-day.ts';
import { findPool, type StakePool } from './pools.ts';
import { STAKE_SORT_COLUMNS, stakeList, sumStakes } from './stake-lists.ts';
import { endStakes, hasLiveStakes, openStake, shownStake, unstake } from './stakes.ts';
import {
  atoms,
  BTC,
  changePool,
  makePool,
  makeUser,
  noonOf,
  openStakingForTest,
  readStake,
  START_DAY,
  type StakingForTest,
  stake,
  USDT,
  work,
  workUntil,
} from './staking-for-test.ts';

const COIN = atoms('1', 8);
const FIFTEENTH = dayAfter(START_DAY, 15);

describe('staking', () => {
  let stage: StakingForTest;

  before(async () => {
    stage = await openStakingForTest();
  });
  after(() => stage?.close());

  async function fundedPool(changed: Parameters<typeof makePool>[1] = {}): Promise<StakePool> {
    const pool = await makePool(stage, changed);
    stage.ledger.credit(pool.account, pool.rewardAsset.id, 10n * COIN);
    return pool;
  }

  async function person(btc = 100n * COIN): Promise<UserId> {
    const user = await makeUser(stage.registry);
    stage.ledger.credit(user, BTC.id, btc);
    return user;
  }

  const btcOf = (user: UserId) => stage.ledger.balance(user, BTC.id);
  const ask = (user: UserId, pool: StakePool, amountAtoms: bigint) =>
    openStake(stage.registry, {
      user,
      pool: pool.id,
      amountAtoms: amountAtoms as never,
      nowMs: noonOf(START_DAY),
    });

  test('a stake earns for each midnight up to its closing day and is paid', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    assert.equal(btcOf(user), 99n * COIN);
    assert.equal(btcOf(pool.reserve), COIN);
    const { closingAt, state } = await readStake(stage, id);
    assert.deepEqual([state, closingAt?.toISOString()], ['staking', '2026-01-31T00:00:00.000Z']);
    await workUntil(stage, START_DAY, 10);
    // 36% over 360 days is a thousandth per day.
    assert.equal((await readStake(stage, id)).rewardAtoms, COIN / 100n);
    assert.equal(btcOf(pool.reserve), COIN + COIN / 100n);
    await workUntil(stage, dayAfter(START_DAY, 10), 25);
    const closed = await readStake(stage, id);
    assert.deepEqual([closed.state, closed.rewardAtoms], ['closed', (COIN * 3n) / 100n]);
    assert.equal(btcOf(user), 100n * COIN + (COIN * 3n) / 100n);
    assert.equal(btcOf(pool.reserve), 0n);
    assert.equal(await hasLiveStakes(stage.registry, user), false);
  });

  test('a payment recorded only in the log is not made again', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    // State left by `restore reconcile`: the engine has paid the principal of an earlier end.
    const paid = (COIN * 9n) / 10n;
    const reference = `stake ${id} principal`;
    const { channel, sequence } = await enqueue(
      stage.registry,
      {
        kind: 'TransferAsset',
        sender: pool.reserve,
        receiver: user,
        asset: BTC.id,
        amountAtoms: paid as never,
        reference,
      },
      { channel: OUTBOX_CHANNELS.transfers },
    );
    await stage.ledger.answer(stage.registry);
    await stage.registry.query(
      `insert into lost_commands (object, sentence, channel, sequence, reference, amount_atoms)
       values ('stake', $1, $2, $3, $1, $4)`,
      [reference, channel, sequence, paid],
    );
    await workUntil(stage, START_DAY, 35);
    assert.equal((await readStake(stage, id)).state, 'closed');
    const payments = stage.ledger.accepted.filter((one) => one === reference);
    assert.equal(payments.length, 1);
    assert.equal(btcOf(user), 99n * COIN + paid + (COIN * 3n) / 100n);
  });

  test('missed days are counted later, each once', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    await work(stage, dayAfter(START_DAY, 7));
    await work(stage, dayAfter(START_DAY, 7));
    assert.equal((await readStake(stage, id)).rewardAtoms, (COIN * 7n) / 1_000n);
    const later = await stake(stage, {
      user,
      pool,
      amountAtoms: COIN,
      day: dayAfter(START_DAY, 7),
    });
    await work(stage, dayAfter(START_DAY, 9));
    assert.equal((await readStake(stage, later)).rewardAtoms, (COIN * 2n) / 1_000n);
  });

  test('an early end is slashed, and the slashes fund the pool again', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const day = await workUntil(stage, START_DAY, 10);
    assert.equal(await unstake(stage.registry, { user, id, nowMs: noonOf(day) }), undefined);
    assert.equal((await readStake(stage, id)).state, 'unstaking');
    const again = await unstake(stage.registry, { user, id, nowMs: noonOf(day) });
    assert.deepEqual(again, new Refused('stake_has_ended'));
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'closed');
    // 1% of the principal, and half of the reward of 0.01.
    assert.equal(btcOf(user), 100n * COIN - COIN / 100n + COIN / 200n);
    assert.equal(btcOf(pool.account), 10n * COIN + COIN / 100n - COIN / 200n);
    assert.equal(btcOf(pool.reserve), 0n);
  });

  test('a stake that ends before its days are counted still earns for them', async () => {
    const [pool, user] = [await fundedPool({ rewardSlashPpm: 0n }), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const day = dayAfter(START_DAY, 5);
    await unstake(stage.registry, { user, id, nowMs: noonOf(day) });
    await advanceStakes(stage.registry, { nowMs: noonOf(day), limit: 10 });
    assert.equal((await readStake(stage, id)).state, 'unstaking');
    await work(stage, dayAfter(START_DAY, 9));
    const closed = await readStake(stage, id);
    assert.deepEqual([closed.state, closed.rewardAtoms], ['closed', (COIN * 5n) / 1_000n]);
  });

  test('a stake rejected by the engine never existed', async () => {
    const [pool, user] = [await fundedPool(), await person(COIN)];
    const opened = await ask(user, pool, 2n * COIN);
    assert.ok(!(opened instanceof Refused));
    await work(stage, START_DAY);
    const { rows } = await stage.registry.query('select state from stakes where user_id = $1', [
      user,
    ]);
    assert.deepEqual(rows, [{ state: 'refused' }]);
    assert.equal(await hasLiveStakes(stage.registry, user), false);
    assert.equal(btcOf(user), COIN);
    // It does not start later either, when there is money for it.
    stage.ledger.credit(user, BTC.id, COIN);
    await work(stage, START_DAY);
    assert.deepEqual([btcOf(user), btcOf(pool.reserve)], [2n * COIN, 0n]);
  });

  const REFUSALS: [string, Parameters<typeof makePool>[1] | undefined, bigint, string][] = [
    [
      'a pool that has not started',
      { state: 'uninitialized', onboarding: false },
      COIN,
      'stake_pool_not_found',
    ],
    ['a paused pool', { state: 'paused' }, COIN, 'stake_pool_not_active'],
    ['a pool without onboarding', { onboarding: false }, COIN, 'stake_pool_closed'],
    ['too little', { minAtoms: COIN }, COIN - 1n, 'stake_amount_too_small'],
    ['too much', { maxAtoms: COIN }, COIN + 1n, 'stake_amount_too_large'],
  ];
  for (const [title, changed, amountAtoms, refusal] of REFUSALS) {
    test(`rejected: ${title}`, async () => {
      const pool = await makePool(stage, changed);
      const refused = await ask(await person(), pool, amountAtoms);
      assert.equal(refused instanceof Refused && refused.key, refusal);
    });
  }

  test('a user has at most twelve live stakes, even with parallel requests', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const sessions = await Promise.all([1, 2, 3, 4].map(() => stage.session()));
    const asked = { user, pool: pool.id, amountAtoms: COIN, nowMs: noonOf(START_DAY) };
    const results: string[] = [];
    await Promise.all(
      sessions.map(async (session) => {
        for (let at = 0; at < 4; at += 1) {
          const opened = await openStake(session, asked);
          results.push(opened instanceof Refused ? opened.key : 'opening');
        }
      }),
    );
    assert.equal(results.filter((result) => result === 'opening').length, 12);
    assert.equal(results.filter((result) => result === 'stakes_limit_reached').length, 4);
    await work(stage, START_DAY);
    assert.equal(btcOf(pool.reserve), 12n * COIN);
  });

  test("the pool's account and inactive users cannot stake", async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const refused = new Refused('stake_account_cannot');
    assert.deepEqual(await ask(pool.account, pool, COIN), refused);
    await stage.registry.query(`update users set state = 'closing' where id = $1`, [user]);
    assert.deepEqual(await ask(user, pool, COIN), refused);
  });

  test("abuse 56: another user's stake is not found", async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const other = { user: await person(), id, nowMs: noonOf(START_DAY) };
    assert.deepEqual(await unstake(stage.registry, other), new Refused('stake_not_found'));
    assert.equal((await readStake(stage, id)).state, 'staking');
  });

  test('without early unstake, the period must be over', async () => {
    const pool = await fundedPool({ earlyUnstake: false, durationDays: 3 });
    const user = await person();
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const at = (days: number) => ({ user, id, nowMs: noonOf(dayAfter(START_DAY, days)) });
    assert.deepEqual(await unstake(stage.registry, at(2)), new Refused('stake_period_not_over'));
    await workUntil(stage, START_DAY, 3);
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.deepEqual(await unstake(stage.registry, at(3)), new Refused('stake_has_ended'));
  });

  test('a stake without an end earns until its user ends it, without slashing', async () => {
    const terms = { durationDays: null, earlyUnstake: false, principalSlashPpm: 0n };
    const pool = await fundedPool({ ...terms, rewardSlashPpm: 0n });
    const user = await person();
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const day = await workUntil(stage, START_DAY, 50);
    assert.equal((await readStake(stage, id)).closingAt, null);
    assert.equal(await unstake(stage.registry, { user, id, nowMs: noonOf(day) }), undefined);
    await work(stage, day);
    assert.equal(btcOf(user), 100n * COIN + (COIN * 50n) / 1_000n);
  });

  test('worse pool terms do not affect existing stakes', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const worse = {
      principalSlashPpm: 1_000_000n,
      rewardSlashPpm: 1_000_000n,
      earlyUnstake: false,
    };
    await changePool(stage.registry, pool.id, { ...worse, durationDays: 300 });
    assert.equal(await unstake(stage.registry, { user, id, nowMs: noonOf(START_DAY) }), undefined);
    await work(stage, dayAfter(START_DAY));
    assert.equal(btcOf(user), 100n * COIN - COIN / 100n);
  });

  test('a new rate applies from tomorrow, never to a day that has begun', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const fifth = await workUntil(stage, START_DAY, 5);
    await changePool(stage.registry, pool.id, { apyMicro: 72_000_000n }, fifth);
    await changePool(stage.registry, pool.id, { apyMicro: 0n }, fifth);
    await changePool(stage.registry, pool.id, { apyMicro: 360_000_000n }, fifth);
    // With a slow clock, it is the day after the last counted one.
    await workUntil(stage, fifth, 2);
    assert.equal((await readStake(stage, id)).rewardAtoms, (COIN * 25n) / 1_000n);
    await changePool(stage.registry, pool.id, { apyMicro: 0n }, START_DAY);
    await workUntil(stage, dayAfter(fifth, 2), 2);
    assert.equal((await readStake(stage, id)).rewardAtoms, (COIN * 25n) / 1_000n);
  });

  test('a new rate does not apply to an uncounted day that has begun', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const sixth = dayAfter(await workUntil(stage, START_DAY, 5));
    await changePool(stage.registry, pool.id, { apyMicro: 360_000_000n }, sixth);
    await work(stage, sixth);
    assert.equal((await readStake(stage, id)).rewardAtoms, (COIN * 6n) / 1_000n);
    await work(stage, dayAfter(sixth));
    assert.equal((await readStake(stage, id)).rewardAtoms, (COIN * 16n) / 1_000n);
  });

  test('a pool that is not automatic counts its days without rewards', async () => {
    const [pool, user] = [await fundedPool({ isAutomatic: false }), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    await workUntil(stage, START_DAY, 31);
    const closed = await readStake(stage, id);
    assert.deepEqual([closed.state, closed.rewardAtoms], ['closed', 0n]);
    assert.equal(btcOf(user), 100n * COIN);
  });

  test('a paused pool earns and accepts no stakes or exits; then it pays', async () => {
    const [pool, user] = [await fundedPool({ durationDays: 3 }), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    await changePool(stage.registry, pool.id, { state: 'paused' });
    const early = await unstake(stage.registry, { user, id, nowMs: noonOf(START_DAY) });
    assert.deepEqual(early, new Refused('unstake_pool_not_active'));
    const day = await workUntil(stage, START_DAY, 6);
    const waiting = await readStake(stage, id);
    assert.deepEqual([waiting.state, waiting.rewardAtoms], ['unstaking', (COIN * 3n) / 1_000n]);
    await changePool(stage.registry, pool.id, { state: 'active' });
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'closed');
  });

  test('ending a pool pays every stake without slashing, including its last days', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const late = await ask(user, pool, COIN);
    assert.ok(!(late instanceof Refused));
    const day = dayAfter(START_DAY, 4);
    await changePool(stage.registry, pool.id, { state: 'paused' }, day);
    await changePool(stage.registry, pool.id, { state: 'terminated', onboarding: false }, day);
    const ending = { where: 'pool_id = $4', value: pool.id, isEarly: false } as const;
    await endStakes(stage.registry, { ...ending, today: day, nowMs: noonOf(day) });
    await work(stage, dayAfter(day, 3));
    const closed = await readStake(stage, id);
    assert.deepEqual([closed.state, closed.rewardAtoms], ['closed', (COIN * 4n) / 1_000n]);
    await work(stage, dayAfter(day, 3));
    assert.equal(btcOf(user), 100n * COIN + (COIN * 4n) / 1_000n);
    assert.equal(btcOf(pool.reserve), 0n);
    // After that none of its days is counted.
    const { accruedTo } = (await findPool(stage.registry, pool.id))!;
    await work(stage, dayAfter(day, 30));
    assert.equal((await findPool(stage.registry, pool.id))!.accruedTo, accruedTo);
  });

  test('an unfunded reward is delayed; the principal is not', async () => {
    const [pool, user] = [await makePool(stage, { durationDays: 2 }), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const day = await workUntil(stage, START_DAY, 5);
    assert.equal((await readStake(stage, id)).state, 'settling');
    assert.equal(btcOf(user), 100n * COIN);
    assert.equal((await findPool(stage.registry, pool.id))!.unfundedAtoms, (COIN * 2n) / 1_000n);
    // Enough for the first of two days.
    stage.ledger.credit(pool.account, BTC.id, COIN / 1_000n);
    await work(stage, day);
    assert.equal(btcOf(user), 100n * COIN);
    stage.ledger.credit(pool.account, BTC.id, COIN / 1_000n);
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.equal(btcOf(user), 100n * COIN + (COIN * 2n) / 1_000n);
    assert.equal((await findPool(stage.registry, pool.id))!.unfundedAtoms, 0n);
  });

  test("an unfunded reward is not paid from other users' coins", async () => {
    const pool = await makePool(stage, { principalSlashPpm: 0n, rewardSlashPpm: 0n });
    const [leaves, stays] = [await person(), await person()];
    const id = await stake(stage, { user: leaves, pool, amountAtoms: COIN });
    await stake(stage, { user: stays, pool, amountAtoms: COIN });
    const day = await workUntil(stage, START_DAY, 5);
    await unstake(stage.registry, { user: leaves, id, nowMs: noonOf(day) });
    await work(stage, day);
    assert.equal((await readStake(stage, id)).state, 'settling');
    assert.deepEqual([btcOf(leaves), btcOf(pool.reserve)], [100n * COIN, COIN]);
  });

  test('rewards in another coin need the price of the day, which is then kept', async () => {
    const pool = await makePool(stage, { rewardAsset: USDT, durationDays: 4 });
    stage.ledger.credit(pool.account, USDT.id, 10n ** 12n);
    const user = await person();
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const asked: string[] = [];
    let price: string | undefined = '30000';
    const workAt = (days: number) =>
      work(stage, dayAfter(START_DAY, days), async ({ at, currency, quote }) => {
        asked.push(`${currency} in ${quote} at ${at.toISOString()}`);
        return price;
      });
    await workAt(1);
    price = undefined;
    await workAt(3);
    assert.equal((await readStake(stage, id)).rewardAtoms, atoms('30', 6));
    price = '40000.5';
    await workAt(5);
    assert.deepEqual(asked.slice(0, 3), [
      'btc in usdt at 2026-01-02T00:00:00.000Z',
      'btc in usdt at 2026-01-03T00:00:00.000Z',
      'btc in usdt at 2026-01-03T00:00:00.000Z',
    ]);
    assert.equal((await readStake(stage, id)).state, 'closed');
    assert.equal(stage.ledger.balance(user, USDT.id), atoms('150.0015', 6));
    assert.equal(btcOf(user), 100n * COIN);
  });

  test('abuse 54: two concurrent workers count each day once', async () => {
    const pool = await fundedPool({
      durationDays: null,
      earlyUnstake: false,
      principalSlashPpm: 0n,
      rewardSlashPpm: 0n,
    });
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => person()));
    const ids: number[] = [];
    for (const [at, user] of users.entries()) {
      ids.push(await stake(stage, { user, pool, amountAtoms: 1_234_567n + BigInt(at) * 1_111n }));
    }
    const workers = await Promise.all([1, 2, 3].map(() => stage.session()));
    const nowMs = noonOf(dayAfter(START_DAY, 20));
    const options = { nowMs, batch: 2, priceAt: async () => undefined };
    await Promise.all(workers.map((worker) => accrueRewards(worker, options)));
    await work(stage, dayAfter(START_DAY, 20));
    let sum = 0n;
    for (const [at, id] of ids.entries()) {
      const { rewardAtoms } = await readStake(stage, id);
      assert.equal(rewardAtoms, ((1_234_567n + BigInt(at) * 1_111n) * 20n) / 1_000n);
      sum += rewardAtoms;
    }
    const days = stage.ledger.accepted.filter((one) => one.startsWith(`stake pool ${pool.id} `));
    assert.deepEqual([days.length, new Set(days).size], [20, 20]);
    assert.equal(btcOf(pool.account), 10n * COIN - sum);
  });

  test('every change of a stake is recorded for the stream', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    await unstake(stage.registry, { user, id, nowMs: noonOf(START_DAY) });
    await work(stage, START_DAY);
    const { rows } = await stage.registry.query(
      'select action from stake_changes where stake_id = $1 order by id',
      [id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['insert', 'delete', 'update'],
    );
  });

  test('lists filter by user, pool, currency and status; totals are by currency', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const id = await stake(stage, { user, pool, amountAtoms: COIN });
    const read = listedIds(stage.registry, user);
    assert.deepEqual(await read({}), [id]);
    assert.deepEqual(await read({ pool: pool.id, currency: 'btc', status: 'staking' }), [id]);
    assert.deepEqual(await read({ currency: 'eth' }), []);
    assert.deepEqual(await read({ status: 'closed' }), []);
    assert.deepEqual(await read({ to: new Date(0) }), []);
    const { staking } = await sumStakes(stage.registry);
    assert.equal(staking.find(({ currency }) => currency === 'btc')!.scale, 8);
  });

  test('lists filter and sort by the displayed reward and slashed amount', async () => {
    const [pool, user] = [await fundedPool(), await person()];
    const small = await stake(stage, { user, pool, amountAtoms: COIN });
    const large = await stake(stage, { user, pool, amountAtoms: 2n * COIN });
    await work(stage, dayAfter(START_DAY, 10));
    await unstake(stage.registry, { user, id: large, nowMs: noonOf(dayAfter(START_DAY, 10)) });
    const shown = shownStake(await readStake(stage, large));
    assert.notEqual(shown.slashed, '0');
    const read = listedIds(stage.registry, user);
    assert.deepEqual(await read({ reward: shown.reward }), [large]);
    assert.deepEqual(await read({ slashed: shown.slashed }), [large]);
    assert.deepEqual(await read({ slashed: '0.0' }), [small]);
    assert.deepEqual(await read({ reward: '0' }), []);
    for (const name of ['amount', 'nav', 'reward', 'slashed'] as const) {
      const { by } = STAKE_SORT_COLUMNS[name] as { by: string };
      assert.deepEqual(await read({}, `order by ${by}, s.id`), [small, large], name);
    }
  });

  test('the exchange counts days in the time zone of its kit', async () => {
    await describeKit(stage.registry, { timezone: 'Asia/Tokyo' });
    const [pool, user] = [await makePool(stage), await person()];
    const nowMs = Date.parse('2026-01-16T14:59:00Z');
    await openStake(stage.registry, { user, pool: pool.id, amountAtoms: COIN, nowMs });
    await accrueRewards(stage.registry, { nowMs, batch: 10, priceAt: async () => undefined });
    assert.equal((await findPool(stage.registry, pool.id))!.accruedTo, FIFTEENTH);
    const later = nowMs + 60_000;
    await accrueRewards(stage.registry, {
      nowMs: later,
      batch: 10,
      priceAt: async () => undefined,
    });
    assert.equal((await findPool(stage.registry, pool.id))!.accruedTo, dayAfter(FIFTEENTH));
  });
});

interface StakeFilter {
  readonly pool?: number;
  readonly currency?: string;
  readonly status?: string;
  readonly to?: Date;
  readonly reward?: string;
  readonly slashed?: string;
}

/** Returns the IDs of a user's listed stakes. */
function listedIds(registry: StakingForTest['registry'], user: UserId) {
  return async (filter: StakeFilter, order = 'order by s.id'): Promise<number[]> => {
    const { currency = null, pool = null, reward = null, slashed = null } = filter;
    const { status = null, to = null } = filter;
    const values = [user, null, pool, currency, status, null, to, reward, slashed, null, 0];
    const { rows } = await registry.query(stakeList.rows(order), values);
    return rows.map((row) => Number(row.id));
  };
}
