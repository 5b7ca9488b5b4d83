// Acts about pools. A new pool does nothing; starting it or changing its terms needs another
// person, stopping it does not. Its end pays everybody.

import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type ShownLine,
} from '../../approvals/index.ts';
import type { JsonValue } from '../../audit/index.ts';
import { readToday } from '../exchange-day.ts';
import {
  findPool,
  insertPool,
  lockPool,
  type PoolTerms,
  type StakePool,
  updatePool,
} from '../pools.ts';
import { endStakes } from '../stakes.ts';
import { type PoolInput, termsOf, termsRecord } from './pool-terms.ts';

type PoolResult = { readonly id: number };

export type NewPoolPayload = { readonly pool: PoolInput };
export type PoolChangePayload = { readonly id: number; readonly pool: PoolInput };

export const createPoolAct = defineActInTwoSteps({
  name: 'stake_pool.create',
  votePower: 'approve.config',
  async assess(context: ActContext, { pool }: NewPoolPayload): Promise<Assessment> {
    const terms = await newTerms(context, pool);
    return {
      object: `stake pool ${terms.name}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [terms.account],
      shown: shownTerms(terms),
    };
  },
  async execute(context: ActContext, { pool }: NewPoolPayload) {
    const { connection, nowMs, operator } = context;
    const terms = await newTerms(context, pool);
    const today = await readToday(connection, nowMs);
    const id = await insertPool(connection, { user: operator.user, terms, today, nowMs });
    if (id === undefined) throw new ActRefused('stake_name_taken');
    return { result: { id } satisfies PoolResult, after: termsRecord(terms) };
  },
});

export const changePoolAct = defineActInTwoSteps({
  name: 'stake_pool.change',
  votePower: 'approve.config',
  async assess(context: ActContext, { id, pool: input }: PoolChangePayload): Promise<Assessment> {
    const pool = requirePool(await findPool(context.connection, id));
    const terms = await changedTerms(context, pool, input);
    return {
      ...objectOf(pool),
      approvals: isOnlyStopping(pool, terms) ? 0 : 1,
      // Slashes go to the account, before and after the change.
      beneficiaries: [...new Set([pool.account, terms.account])],
      shown: [{ label: 'pool', value: `${pool.id} ${pool.name}` }, ...shownTerms(terms, pool)],
    };
  },
  async execute(context: ActContext, { id, pool: input }: PoolChangePayload) {
    const { connection } = context;
    const pool = requirePool(await lockPool(connection, id, 'update'));
    const terms = await changedTerms(context, pool, input);
    await writeTerms(context, pool, terms);
    return {
      result: { id } satisfies PoolResult,
      before: termsRecord(pool),
      after: termsRecord(terms),
    };
  },
});

export const terminatePoolAct = defineActInTwoSteps({
  name: 'stake_pool.terminate',
  votePower: 'approve.config',
  async assess(context: ActContext, { id }: PoolResult): Promise<Assessment> {
    const pool = requirePool(await findPool(context.connection, id));
    requirePaused(pool);
    return {
      ...objectOf(pool),
      approvals: 1,
      // It pays no rewards any more.
      beneficiaries: [pool.account],
      shown: shownTerms(pool),
    };
  },
  async execute(context: ActContext, { id }: PoolResult) {
    const { connection, nowMs } = context;
    const pool = requirePool(await lockPool(connection, id, 'update'));
    requirePaused(pool);
    const terms: PoolTerms = { ...pool, state: 'terminated', onboarding: false };
    await writeTerms(context, pool, terms);
    const today = await readToday(connection, nowMs);
    const ending = { where: 'pool_id = $4', value: id, isEarly: false } as const;
    const stakes = await endStakes(connection, { ...ending, today, nowMs });
    return {
      result: { id } satisfies PoolResult,
      before: { status: pool.state },
      after: { status: 'terminated', stakes },
    };
  },
});

async function newTerms(context: ActContext, input: PoolInput): Promise<PoolTerms> {
  if ((input.status ?? 'uninitialized') !== 'uninitialized') {
    throw new ActRefused('stake_status_of_new_pool');
  }
  if (input.onboarding === true) throw new ActRefused('stake_onboarding_of_new_pool');
  return termsOf(context, input);
}

/** A status and those that may follow it. The end is an act of its own. */
const NEXT: Readonly<Record<StakePool['state'], readonly StakePool['state'][]>> = {
  uninitialized: ['uninitialized', 'active'],
  active: ['active', 'paused'],
  paused: ['paused', 'active'],
  terminated: [],
};

async function changedTerms(
  context: ActContext,
  pool: StakePool,
  input: PoolInput,
): Promise<PoolTerms> {
  if (pool.state === 'terminated') throw new ActRefused('stake_pool_terminated');
  if (pool.state !== 'uninitialized') refuseOtherCoins(pool, input);
  const terms = await termsOf(context, input, pool);
  if (terms.state === 'terminated') throw new ActRefused('stake_pool_not_paused');
  if (!NEXT[pool.state].includes(terms.state)) {
    throw new ActRefused('stake_status_invalid', { from: pool.state, to: terms.state });
  }
  if (terms.state === 'uninitialized' && terms.onboarding) {
    throw new ActRefused('stake_onboarding_too_early');
  }
  return terms;
}

function refuseOtherCoins({ asset, rewardAsset }: StakePool, input: PoolInput): void {
  const isOther = (symbol: string | null | undefined, known: string) =>
    (symbol ?? known).toLowerCase() !== known;
  if (isOther(input.currency, asset.symbol)) {
    throw new ActRefused('stake_field_fixed', { field: 'currency' });
  }
  if (isOther(input.reward_currency, rewardAsset.symbol)) {
    throw new ActRefused('stake_field_fixed', { field: 'reward_currency' });
  }
}

const TEXTS = ['name', 'category', 'disclaimer'];

/** Texts, a pause, and no new stakes. Before the start nobody is concerned. */
function isOnlyStopping(pool: StakePool, terms: PoolTerms): boolean {
  if (terms.state === 'uninitialized') return true;
  return changesOf(pool, terms).every(
    ([name, value]) =>
      TEXTS.includes(name) ||
      (name === 'status' && value === 'paused') ||
      (name === 'onboarding' && value === false),
  );
}

function changesOf(pool: StakePool, terms: PoolTerms): [name: string, value: JsonValue][] {
  const before = termsRecord(pool);
  return Object.entries(termsRecord(terms)).filter(([name, value]) => before[name] !== value);
}

async function writeTerms(
  { connection, nowMs }: ActContext,
  pool: StakePool,
  terms: PoolTerms,
): Promise<void> {
  const today = await readToday(connection, nowMs);
  const isWritten = await updatePool(connection, { pool, terms, today, nowMs });
  if (!isWritten) throw new ActRefused('stake_name_taken');
}

function requirePool(pool: StakePool | undefined): StakePool {
  if (pool === undefined) throw new ActRefused('stake_pool_not_found');
  return pool;
}

function requirePaused({ state }: StakePool): void {
  if (state === 'terminated') throw new ActRefused('stake_pool_terminated');
  if (state !== 'paused') throw new ActRefused('stake_pool_not_paused');
}

function objectOf(pool: StakePool): Pick<Assessment, 'object' | 'objectVersion'> {
  return {
    object: `stake pool ${pool.id}`,
    // Rewards of a day change nothing here.
    objectVersion: `${pool.updatedAt.getTime()}`,
  };
}

/** All terms, because terms of a pool that has not started were never approved. */
function shownTerms(terms: PoolTerms, pool = terms): ShownLine[] {
  const before = termsRecord(pool);
  return Object.entries(termsRecord(terms)).map(([label, value]) => ({
    label,
    value: before[label] === value ? `${value}` : `${before[label]} → ${value}`,
  }));
}
