// Handlers for staking. Convert requests and responses to their wire form; a new stake awaits the
// engine.

import { atomsFromDecimal } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  answerList,
  awaitOutcome,
  type Dependencies,
  type HandlersOf,
  type ListCall,
  type ListSource,
  momentFilter,
} from '../../../platform/http/index.ts';
import type { OutboxPosition } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { readToday } from '../exchange-day.ts';
import { allPools, findPool, poolOf, poolsForUser, type StakePool } from '../pools.ts';
import { STAKE_SORT_COLUMNS, stakeList, sumStakes } from '../stake-lists.ts';
import { estimateEnd, findStake, openStake, type Stake, stakeOf, unstake } from '../stakes.ts';
import { adjustStake, changeStakePool, createStakePool, terminateStakePool } from './stake-acts.ts';
import { amountJson, poolJson, poolOfOperatorsJson, stakeJson } from './staking-json.ts';

type Handlers = HandlersOf<'staking'>;

const POOL_SORT = {
  id: 'p.id',
  name: 'p.name',
  currency: 'p.currency',
  status: 'p.state',
  created_at: 'p.created_at',
};

const getStakePoolsOfOperators: Handlers['getStakePoolsOfOperators'] = (call, dependencies) => {
  const { end_date, start_date, status } = call.query;
  return answerRows(dependencies, call, {
    ...allPools,
    values: [status ?? null, momentFilter(start_date), momentFilter(end_date)],
    sortColumns: POOL_SORT,
    write: (row) => JSON.stringify(poolOfOperatorsJson(poolOf(row))),
    fileName: 'stakes',
  });
};

const getStakers: Handlers['getStakers'] = (call, dependencies) => {
  return answerStakes(dependencies, call, { ...call.query, user: call.query.user_id });
};

export const stakingRoutes: Handlers = {
  getStakePools(call, dependencies) {
    const { caller, query } = call;
    return answerRows(dependencies, call, {
      ...poolsForUser,
      values: [caller.user, momentFilter(query.start_date), momentFilter(query.end_date)],
      sortColumns: POOL_SORT,
      write: (row) => JSON.stringify(poolJson(poolOf(row))),
      fileName: 'stakes',
    });
  },

  getStakes(call, dependencies) {
    return answerStakes(dependencies, call, { ...call.query, user: call.caller.user });
  },

  async createStake({ body, caller }, dependencies) {
    const { clock, registry } = dependencies;
    const pool = await findPool(registry, body.stake_id);
    if (pool === undefined) return new Refused('stake_pool_not_found');
    const amountAtoms = requireAtoms(body.amount, pool);
    if (amountAtoms instanceof Refused) return amountAtoms;
    const asked = { user: caller.user, pool: pool.id, amountAtoms, nowMs: clock.nowMs() };
    const opened = await withConnection(registry, (connection) => openStake(connection, asked));
    if (opened instanceof Refused) return opened;
    const outcome = await awaitPrincipal(dependencies, opened);
    if (outcome instanceof Refused) return outcome;
    const stake = await requireStake(dependencies, opened.id);
    return stake instanceof Refused ? stake : stakeJson(stake);
  },

  async endStake({ body, caller }, dependencies) {
    const { clock, registry } = dependencies;
    const asked = { user: caller.user, id: body.id, nowMs: clock.nowMs() };
    const refusal = await withConnection(registry, (connection) => unstake(connection, asked));
    if (refusal !== undefined) return refusal;
    const stake = await requireStake(dependencies, body.id);
    return stake instanceof Refused ? stake : stakeJson(stake);
  },

  async estimateSlash({ caller, query }, dependencies) {
    const stake = await findStake(dependencies.registry, query.id, caller.user);
    if (stake === undefined) return new Refused('stake_not_found');
    return slashJson(stake, await todayOf(dependencies));
  },

  createStakePool,
  changeStakePool,
  terminateStakePool,
  adjustStake,
  getStakePoolsOfOperators,
  getStakePoolsFile: getStakePoolsOfOperators,
  getStakers,
  getStakersFile: getStakers,

  async getStakeAnalytics(_, { registry }) {
    const { staking, unstaking } = await sumStakes(registry);
    const sums = (all: typeof staking) =>
      all.map(({ atoms, currency, scale }) => ({
        currency,
        total_amount: amountJson(atoms, scale),
      }));
    return { stakingAmount: sums(staking), unstakingAmount: sums(unstaking) };
  },

  async estimateSlashOfUser({ query }, dependencies) {
    const stake = await requireStake(dependencies, query.id);
    if (stake instanceof Refused) return stake;
    const today = await todayOf(dependencies);
    const { rewardAtoms } = estimateEnd(stake, today);
    return { reward: amountJson(rewardAtoms, stake.rewardScale), ...slashJson(stake, today) };
  },
};

function slashJson(stake: Stake, today: string) {
  const { slashedPrincipalAtoms, slashedRewardAtoms } = estimateEnd(stake, today);
  return {
    slashingPrinciple: amountJson(slashedPrincipalAtoms, stake.scale),
    slashingEarning: amountJson(slashedRewardAtoms, stake.rewardScale),
  };
}

function todayOf({ clock, registry }: Dependencies): Promise<string> {
  return readToday(registry, clock.nowMs());
}

async function requireStake({ registry }: Dependencies, id: number) {
  return (await findStake(registry, id)) ?? new Refused('stake_not_found');
}

/** After a timeout the stake is in progress, and a job advances it. */
async function awaitPrincipal(
  dependencies: Dependencies,
  { position }: { readonly position: OutboxPosition },
) {
  try {
    return await awaitOutcome(dependencies, position);
  } finally {
    // Publishes the change to the stream immediately.
    dependencies.outcomes.wakeDispatcher();
  }
}

function requireAtoms(given: number | string, { asset }: StakePool) {
  const atoms = atomsFromDecimal(`${given}`, asset.scale);
  if (atoms.ok) return atoms.value;
  if (atoms.problem === 'negative') return new Refused('amount_must_be_positive');
  return new Refused('amount_invalid', { problem: atoms.problem.replaceAll('_', ' ') });
}

type Rows = Omit<ListSource, 'pool' | 'clock'>;

function answerRows({ clock, exchange, registry: pool }: Dependencies, call: ListCall, rows: Rows) {
  const fileName = `${exchange.name}-${rows.fileName}`;
  return answerList(call, { ...rows, fileName, pool, clock });
}

interface StakeFilters {
  readonly user?: number | undefined;
  readonly id?: number | undefined;
  readonly stake_id?: number | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  readonly reward?: string | undefined;
  readonly slashed?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

function answerStakes(dependencies: Dependencies, call: ListCall, filters: StakeFilters) {
  const { currency, id, reward, slashed, stake_id, status, user } = filters;
  return answerRows(dependencies, call, {
    ...stakeList,
    values: [
      user ?? null,
      id ?? null,
      stake_id ?? null,
      currency?.toLowerCase() ?? null,
      status ?? null,
      momentFilter(filters.start_date),
      momentFilter(filters.end_date),
      reward ?? null,
      slashed ?? null,
    ],
    sortColumns: STAKE_SORT_COLUMNS,
    write: (row) => JSON.stringify(stakeJson(stakeOf(row))),
    fileName: 'stakers',
  });
}
