// Checks for staking pools and stakes.

import { type Checks, filterCheck, listChecks, requiredCheck } from '../list-checks.ts';
import { expect, type Stage } from '../stage.ts';
import type { Body } from '../target.ts';

const NAME_MAX = 256;
const PAGE_MAX = 100;
let pools = 0;

const poolOf = ({ admin }: Stage) => ({
  name: `pool ${Date.now().toString(36)} ${++pools}`,
  user_id: admin.id,
  currency: 'usdt',
  account_id: admin.id,
  apy: 5,
  min_amount: 1,
  max_amount: 1_000,
  early_unstake: true,
  status: 'uninitialized',
  duration: 30,
});

async function readPool(stage: Stage, name: string): Promise<Body> {
  const query = { limit: PAGE_MAX };
  const { data } = await stage.admin.caller.must({
    method: 'GET',
    path: '/v2/admin/stakes',
    query,
  });
  return data.find((pool: { name: string }) => pool.name === name);
}

/** Creates a pool and returns it as the list shows it. */
async function created(stage: Stage, given: object = {}): Promise<Body> {
  const body = { ...poolOf(stage), ...given };
  await stage.ok('POST /v2/admin/stake', body);
  const pool = await readPool(stage, body.name);
  expect(pool !== undefined, `pool ${body.name}`, 'no pool');
  return pool;
}

async function change(stage: Stage, id: number, given: object): Promise<void> {
  await stage.ok('PUT /v2/admin/stake', { id, ...given });
}

/** Creates an open pool with stakes of both traders. */
async function staked(stage: Stage): Promise<Body> {
  const pool = await created(stage);
  await change(stage, pool.id, { status: 'active' });
  await stage.admin.caller.must({
    method: 'PUT',
    path: '/v2/admin/stake',
    body: { id: pool.id, onboarding: true },
  });
  for (const { caller } of [stage.maker, stage.taker]) {
    const body = { stake_id: pool.id, amount: 50 };
    await caller.must({ method: 'POST', path: '/v2/stake', body });
  }
  return pool;
}

/** Checks that the pool's field has the given value. */
const has =
  (name: string, value: unknown, more: object = {}): Checks[string] =>
  async (stage) => {
    const pool = await created(stage, { [name]: value, ...more });
    expect(pool[name] === value, `${name} ${value}`, pool[name]);
  };

const CREATE: Checks = {
  answer: async (stage) => {
    await created(stage);
  },
  ...requiredCheck('POST /v2/admin/stake', poolOf, ['currency', 'account_id']),
  user_id: async (stage) => {
    const { user_id } = await created(stage);
    expect(user_id === stage.admin.id, `user_id ${stage.admin.id}`, user_id);
  },
  name: (stage) =>
    stage.refused('POST /v2/admin/stake', { ...poolOf(stage), name: 'x'.repeat(NAME_MAX + 1) }),
  min_amount: has('min_amount', 2),
  max_amount: has('max_amount', 500),
  early_unstake: has('early_unstake', false),
  status: async (stage) => {
    await stage.refused('POST /v2/admin/stake', { ...poolOf(stage), status: 'other' });
    const { status } = await created(stage, { status: 'active' });
    expect(status === 'active', 'active', status);
  },
  apy: has('apy', 0),
  reward_currency: has('reward_currency', 'btc'),
  duration: has('duration', 90),
  slashing: has('slashing', true, { slashing_earning_percentage: 5 }),
  slashing_earning_percentage: has('slashing_earning_percentage', 10),
  slashing_principle_percentage: has('slashing_principle_percentage', 3),
  onboarding: async (stage) => {
    const { onboarding } = await created(stage, { onboarding: false });
    expect(onboarding === false, 'false', onboarding);
  },
  disclaimer: has('disclaimer', 'A text for people.'),
};

const updated =
  (name: string, value: (stage: Stage) => unknown): Checks[string] =>
  async (stage) => {
    const { id, name: poolName } = await created(stage);
    const given = value(stage);
    await change(stage, id, { [name]: given });
    const pool = await readPool(stage, name === 'name' ? String(given) : poolName);
    expect(pool?.[name] === given, `${name} ${given}`, pool?.[name]);
  };

const UPDATE: Checks = {
  answer: updated('apy', () => 6),
  id: (stage) => stage.refused('PUT /v2/admin/stake', { apy: 6 }),
  name: updated('name', () => `renamed ${Date.now()}`),
  user_id: updated('user_id', ({ admin }) => admin.id),
  currency: updated('currency', () => 'btc'),
  account_id: updated('account_id', ({ admin }) => admin.id),
  apy: updated('apy', () => 0),
  min_amount: updated('min_amount', () => 3),
  max_amount: updated('max_amount', () => 400),
  early_unstake: updated('early_unstake', () => false),
  status: async (stage) => {
    const { id, name } = await created(stage);
    for (const status of ['active', 'paused', 'active', 'paused', 'terminated']) {
      await change(stage, id, { status });
      const pool = await readPool(stage, name);
      expect(pool?.status === status, status, pool?.status);
    }
  },
};

const STAKERS = listChecks({
  call: 'GET /v2/admin/stakers',
  prefix: 'opts.',
  date: 'created_at',
  sorts: ['id', 'created_at', 'amount'],
  maximum: PAGE_MAX,
  hasFile: true,
});

const stakersOf =
  (
    name: string,
    column: string,
    value: (stage: Stage) => unknown,
    findsAll = false,
  ): Checks[string] =>
  (stage) =>
    filterCheck('GET /v2/admin/stakers', `opts.${name}`, {
      value,
      isIncluded: (row, wanted) => row[column] === wanted,
      findsAll,
    })(stage);

/** Creates a stake of the maker in a separate pool. */
async function stakeOf(stage: Stage): Promise<{ id: number; stake_id: number }> {
  const { id: stake_id } = await staked(stage);
  const given = { 'opts.stake_id': stake_id, 'opts.user_id': stage.maker.id };
  const { data } = await stage.ok('GET /v2/admin/stakers', given);
  return data[0];
}

const stakeHas =
  (name: string, value: unknown): Checks[string] =>
  async (stage) => {
    const { id } = await stakeOf(stage);
    await stage.ok('PUT /v2/admin/staker', { id, [name]: value });
    const { data } = await stage.ok('GET /v2/admin/stakers', { 'opts.id': id });
    expect(data[0]?.[name] === value, `${name} ${value}`, data[0]);
  };

export const STAKING_CHECKS: Readonly<Record<string, Checks>> = {
  'POST /v2/admin/stake': CREATE,
  'PUT /v2/admin/stake': UPDATE,
  'DELETE /v2/admin/stake': {
    answer: async (stage) => {
      const { id } = await created(stage);
      await change(stage, id, { status: 'active' });
      await change(stage, id, { status: 'paused' });
      await stage.ok('DELETE /v2/admin/stake', { id });
    },
    id: (stage) => stage.refused('DELETE /v2/admin/stake', {}),
  },
  'GET /v2/admin/stakers': {
    ...STAKERS,
    answer: async (stage) => {
      const pool = await staked(stage);
      const { count, data } = await stage.ok('GET /v2/admin/stakers', { 'opts.stake_id': pool.id });
      expect(count === 2 && data[0].amount === 50, 'two stakes of 50', count);
    },
    'opts.id': async (stage) => {
      const { id } = await stakeOf(stage);
      await stakersOf('id', 'id', () => id)(stage);
    },
    'opts.user_id': stakersOf('user_id', 'user_id', ({ maker }) => maker.id),
    'opts.stake_id': async (stage) => {
      const { stake_id } = await stakeOf(stage);
      await stakersOf('stake_id', 'stake_id', () => stake_id)(stage);
    },
    'opts.currency': stakersOf('currency', 'currency', () => 'usdt', true),
  },
  'PUT /v2/admin/staker': {
    answer: stakeHas('reward', 1),
    id: (stage) => stage.refused('PUT /v2/admin/staker', { reward: 1 }),
    nav: stakeHas('nav', 51),
    reward: stakeHas('reward', 2),
    status: async (stage) => {
      const { id } = await stakeOf(stage);
      for (const status of ['unstaking', 'closed']) {
        await stage.ok('PUT /v2/admin/staker', { id, status });
        const { data } = await stage.ok('GET /v2/admin/stakers', { 'opts.id': id });
        expect(data[0]?.status === status, status, data[0]?.status);
      }
    },
  },
  'GET /v2/admin/stake/analytics': {
    answer: async (stage) => {
      const { id } = await stakeOf(stage);
      await stage.ok('PUT /v2/admin/staker', { id, status: 'unstaking' });
      const { stakingAmount, unstakingAmount } = await stage.ok('GET /v2/admin/stake/analytics');
      expect(stakingAmount.length > 0 && unstakingAmount.length > 0, 'totals of both', {
        stakingAmount,
        unstakingAmount,
      });
    },
  },
};
