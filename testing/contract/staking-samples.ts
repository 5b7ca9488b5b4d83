// Valid requests for the staking routes. Pools are in bitcoin. Unchanged stakes are reused, because
// a new stake is pending until the outbox has processed it.

import { randomUUID } from 'node:crypto';
import { type Atoms, atomsFromDecimal, type UserId } from '../../core/money/index.ts';
import { insertPool, type PoolState } from '../../features/staking/pools.ts';
import { findStake, openStake } from '../../features/staking/stakes.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { newPerson } from './account-samples.ts';

type Owner = 'admin' | 'alice' | 'bob';

type StakingWorld = Parameters<typeof newPerson>[0];

interface StakingSample {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (
  world: StakingWorld,
  wanted: { readonly owner: Owner },
) => Promise<StakingSample>;

const AMOUNT = '0.0001';

export const stakingSamples = {
  getStakePools: async (world) => {
    await newPool(world);
    return {};
  },
  getStakes: async (world, { owner }) => {
    // The administrator has no money.
    if (owner !== 'admin') await runningStake(world, owner);
    return {};
  },
  createStake: async (world, { owner }) => {
    await withoutStakes(world, owner);
    return { body: { stake_id: await newPool(world), amount: AMOUNT } };
  },
  endStake: async (world, { owner }) => ({ body: { id: await runningStake(world, owner) } }),
  estimateSlash: async (world, { owner }) => ({ query: { id: await runningStake(world, owner) } }),
  createStakePool: async (world) => ({
    body: {
      name: `pool ${randomUUID()}`,
      user_id: 1,
      currency: 'btc',
      account_id: world.userId('admin'),
      apy: 5.25,
      duration: 30,
      min_amount: 0.001,
      max_amount: 1,
      early_unstake: true,
      slashing: true,
      slashing_earning_percentage: 50,
      slashing_principle_percentage: 0.5,
      status: 'uninitialized',
      onboarding: false,
    },
  }),
  changeStakePool: async (world) => ({
    body: { id: await newPool(world), status: 'paused', onboarding: false },
  }),
  terminateStakePool: async (world) => ({ body: { id: await newPool(world, 'paused') } }),
  adjustStake: async (world) => ({
    body: { id: await runningStake(world, 'alice'), nav: 0.0002, reward: 0, status: 'unstaking' },
  }),
  getStakePoolsOfOperators: async (world) => {
    await newPool(world);
    return {};
  },
  getStakePoolsFile: async (world) => {
    await newPool(world);
    return {};
  },
  getStakers: async (world) => {
    await runningStake(world, 'alice');
    return {};
  },
  getStakersFile: async (world) => {
    await runningStake(world, 'alice');
    return {};
  },
  estimateSlashOfUser: async (world) => ({ query: { id: await runningStake(world, 'alice') } }),
} as const satisfies Readonly<Record<string, MakeSample>>;

/** Creates a pool that is active, open and allows an early end. */
async function newPool(world: StakingWorld, state: PoolState = 'active'): Promise<number> {
  const { user: account } = await newPerson(world);
  await world.registry.query(`update users set role = 'admin' where id = $1`, [account]);
  const nowMs = Date.now();
  const { rows } = await world.registry.query(
    `select id, scale from rialto.assets where symbol = 'btc'`,
  );
  const asset = { id: Number(rows[0].id) as never, symbol: 'btc', scale: Number(rows[0].scale) };
  return withConnection(world.registry, async (connection) => {
    const made = await insertPool(connection, {
      user: account,
      today: new Date(nowMs).toISOString().slice(0, 10),
      nowMs,
      terms: {
        name: `pool ${randomUUID()}`,
        category: null,
        disclaimer: null,
        account,
        asset,
        rewardAsset: asset,
        apyMicro: 5_000_000n,
        durationDays: 30,
        minAtoms: 1n as Atoms,
        maxAtoms: (10n ** 8n) as Atoms,
        earlyUnstake: true,
        principalSlashPpm: 10_000n,
        rewardSlashPpm: 500_000n,
        isAutomatic: true,
        onboarding: true,
        state,
      },
    });
    return made!;
  });
}

/** Returns a stake that the engine has accepted. */
async function runningStake(world: StakingWorld, owner: Owner): Promise<number> {
  const { rows } = await world.registry.query(
    `select id from stakes where user_id = $1 and state = 'staking' limit 1`,
    [world.userId(owner)],
  );
  if (rows.length > 0) return Number(rows[0].id);
  await withoutStakes(world, owner);
  const pool = await newPool(world);
  const amount = atomsFromDecimal(AMOUNT, 8);
  if (!amount.ok) throw new Error('no amount');
  const user = world.userId(owner) as UserId;
  return withConnection(world.registry, async (connection) => {
    const asked = { user, pool, amountAtoms: amount.value, nowMs: Date.now() };
    const opened = await openStake(connection, asked);
    if (opened instanceof Refused) throw new Error(`stake refused: ${opened.key}`);
    await waitUntil({
      what: 'the stake has started',
      timeoutMs: 30_000,
      question: async () => (await findStake(connection, opened.id))?.state === 'staking',
    });
    return opened.id;
  });
}

/** Removes stakes, because a user has at most twelve. */
async function withoutStakes(world: StakingWorld, owner: Owner): Promise<void> {
  await world.registry.query(
    `update stakes set state = 'closed', end_day = last_day
     where user_id = $1 and state in ('staking', 'unstaking', 'settling')`,
    [world.userId(owner)],
  );
}
