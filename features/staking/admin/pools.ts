// Operator actions on pools. A pool that has not started does nothing. Starting it or changing its
// terms requires approval; stopping it does not. Ending it pays all stakes.

import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type Assessment,
  defineAct,
  type ShownLine,
} from '../../approvals/index.ts';
import type { JsonValue } from '../../audit/index.ts';
import { readToday } from '../exchange-day.ts';
import { insertPool, lockPool, type PoolTerms, type StakePool, updatePool } from '../pools.ts';
import { endStakes } from '../stakes.ts';
import { type PoolInput, termsOf, termsRecord } from './pool-terms.ts';

type PoolResult = { readonly id: number };

export type NewPoolPayload = { readonly pool: PoolInput };
export type PoolChangePayload = { readonly id: number; readonly pool: PoolInput };

export const createPoolAct = defineAct({
  name: 'stake_pool.create',
  votePower: 'approve.config',
  async prepare(context: ActContext, { pool }: NewPoolPayload) {
    const terms = await newTerms(context, pool);
    if (terms instanceof Refused) return terms;
    return {
      object: `stake pool ${terms.name}`,
      objectVersion: '',
      approvals: terms.state === 'active' ? 1 : 0,
      beneficiaries: [terms.account],
      shown: shownTerms(terms),

      async run() {
        const { connection, nowMs, operator } = context;
        const today = await readToday(connection, nowMs);
        const id = await insertPool(connection, { user: operator.user, terms, today, nowMs });
        if (id === undefined) return new Refused('stake_name_taken');
        const result: PoolResult = { id };
        return { result, after: termsRecord(terms) };
      },
    };
  },
});

export const changePoolAct = defineAct({
  name: 'stake_pool.change',
  votePower: 'approve.config',
  async prepare(context: ActContext, { id, pool: input }: PoolChangePayload) {
    const pool = await requirePool(context, id);
    if (pool instanceof Refused) return pool;
    const terms = await changedTerms(context, pool, input);
    if (terms instanceof Refused) return terms;
    return {
      ...objectOf(pool),
      approvals: isOnlyStopping(pool, terms) ? 0 : 1,
      // Slashed amounts go to the account, before and after the change.
      beneficiaries: [...new Set([pool.account, terms.account])],
      shown: [{ label: 'pool', value: `${pool.id} ${pool.name}` }, ...shownTerms(terms, pool)],

      async run() {
        const refusal = await writeTerms(context, pool, terms);
        if (refusal !== undefined) return refusal;
        const result: PoolResult = { id };
        return { result, before: termsRecord(pool), after: termsRecord(terms) };
      },
    };
  },
});

export const terminatePoolAct = defineAct({
  name: 'stake_pool.terminate',
  votePower: 'approve.config',
  async prepare(context: ActContext, { id }: PoolResult) {
    const pool = await requirePool(context, id);
    if (pool instanceof Refused) return pool;
    if (pool.state === 'terminated') return new Refused('stake_pool_terminated');
    if (pool.state !== 'paused') return new Refused('stake_pool_not_paused');
    return {
      ...objectOf(pool),
      approvals: 1,
      // The account no longer pays rewards.
      beneficiaries: [pool.account],
      shown: shownTerms(pool),

      async run() {
        const { connection, nowMs } = context;
        const terms: PoolTerms = { ...pool, state: 'terminated', onboarding: false };
        const refusal = await writeTerms(context, pool, terms);
        if (refusal !== undefined) return refusal;
        const today = await readToday(connection, nowMs);
        const ending = { where: 'pool_id = $4', value: id, isEarly: false } as const;
        const stakes = await endStakes(connection, { ...ending, today, nowMs });
        const result: PoolResult = { id };
        return {
          result,
          before: { status: pool.state },
          after: { status: 'terminated', stakes },
        };
      },
    };
  },
});

async function newTerms(context: ActContext, input: PoolInput) {
  const { status: to = 'uninitialized' } = input;
  if (to !== 'terminated') return termsOf(context, input);
  return new Refused('stake_status_invalid', { from: 'uninitialized', to });
}

/** Each status and the statuses that can follow it. Ending a pool is a separate action. */
const NEXT: Readonly<Record<StakePool['state'], readonly StakePool['state'][]>> = {
  uninitialized: ['uninitialized', 'active', 'paused'],
  active: ['active', 'paused'],
  paused: ['paused', 'active'],
  terminated: [],
};

async function changedTerms(context: ActContext, pool: StakePool, input: PoolInput) {
  if (pool.state === 'terminated') return new Refused('stake_pool_terminated');
  const fixed = pool.state === 'uninitialized' ? undefined : refuseOtherCoins(pool, input);
  if (fixed !== undefined) return fixed;
  const terms = await termsOf(context, input, pool);
  if (terms instanceof Refused) return terms;
  if (terms.state === 'terminated') return new Refused('stake_pool_not_paused');
  if (!NEXT[pool.state].includes(terms.state)) {
    return new Refused('stake_status_invalid', { from: pool.state, to: terms.state });
  }
  return terms;
}

function refuseOtherCoins({ asset, rewardAsset }: StakePool, input: PoolInput) {
  const isOther = (symbol: string | null | undefined, known: string) =>
    (symbol ?? known).toLowerCase() !== known;
  if (isOther(input.currency, asset.symbol)) {
    return new Refused('stake_field_fixed', { field: 'currency' });
  }
  if (isOther(input.reward_currency, rewardAsset.symbol)) {
    return new Refused('stake_field_fixed', { field: 'reward_currency' });
  }
  return undefined;
}

const TEXTS = ['name', 'category', 'disclaimer'];

/** Only texts, a pause, or no new stakes. Before the start no user is affected. */
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
): Promise<Refused<'stake_name_taken'> | undefined> {
  const today = await readToday(connection, nowMs);
  const isWritten = await updatePool(connection, { pool, terms, today, nowMs });
  return isWritten ? undefined : new Refused('stake_name_taken');
}

async function requirePool({ connection }: ActContext, id: number) {
  return (await lockPool(connection, id, 'update')) ?? new Refused('stake_pool_not_found');
}

function objectOf(pool: StakePool): Pick<Assessment, 'object' | 'objectVersion'> {
  return {
    object: `stake pool ${pool.id}`,
    // Daily rewards do not change it.
    objectVersion: `${pool.updatedAt.getTime()}`,
  };
}

/** All terms, because the terms of a pool that has not started were never approved. */
function shownTerms(terms: PoolTerms, pool = terms): ShownLine[] {
  const before = termsRecord(pool);
  return Object.entries(termsRecord(terms)).map(([label, value]) => ({
    label,
    value: before[label] === value ? `${value}` : `${before[label]} → ${value}`,
  }));
}
