// Stake pools: what can be staked, for how long, and what it earns. A pool's rate changes no
// earlier than the next day.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import {
  assertPlainName,
  type Connection,
  idOf,
  type Statements,
} from '../../infra/postgres/index.ts';
import { createHouseUser } from '../accounts/index.ts';
import type { Day } from './exchange-day.ts';

export const POOL_STATES = ['uninitialized', 'active', 'paused', 'terminated'] as const;
export type PoolState = (typeof POOL_STATES)[number];

/** Terms decided by operators. */
export interface PoolTerms {
  readonly name: string;
  readonly category: string | null;
  readonly disclaimer: string | null;
  readonly account: UserId;
  readonly asset: StakeAsset;
  readonly rewardAsset: StakeAsset;
  /** In millionths of a percent. */
  readonly apyMicro: bigint;
  /** Null for no end. */
  readonly durationDays: number | null;
  readonly minAtoms: Atoms;
  readonly maxAtoms: Atoms;
  readonly earlyUnstake: boolean;
  readonly principalSlashPpm: bigint;
  readonly rewardSlashPpm: bigint;
  readonly isAutomatic: boolean;
  readonly onboarding: boolean;
  readonly state: PoolState;
}

export interface StakeAsset {
  readonly id: AssetId;
  readonly symbol: string;
  readonly scale: number;
}

export interface StakePool extends PoolTerms {
  readonly id: number;
  /** Operator who created it. */
  readonly user: UserId;
  /** Holds the principals and the promised rewards. */
  readonly reserve: UserId;
  /** Last day with counted rewards. */
  readonly accruedTo: Day;
  /** Counted rewards for which the account has had too little so far. */
  readonly unfundedAtoms: Atoms;
  readonly pausedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Columns of a pool `p`. The rate is the newest one, which can start tomorrow. */
const POOL = `
  select p.*, p.accrued_to::text as accrued_to_day, (
    select apy_micro from stake_pool_rates r where r.pool_id = p.id order by from_day desc limit 1
  ) as apy_micro, (
    select sum(amount_atoms) from stake_movements m
    where m.pool_id = p.id and m.kind = 'day' and m.state = 'refused'
  ) as unfunded_atoms from stake_pools p`;

export async function findPool(statements: Statements, id: number): Promise<StakePool | undefined> {
  const { rows } = await statements.query(`${POOL} where p.id = $1`, [id]);
  return rows.map(poolOf)[0];
}

/** Locks until the transaction ends; shared between all who only rely on its terms. */
export async function lockPool(
  connection: Connection,
  id: number,
  mode: 'share' | 'update',
): Promise<StakePool | undefined> {
  const { rows } = await connection.query(`select id from stake_pools where id = $1 for ${mode}`, [
    id,
  ]);
  return rows.length === 0 ? undefined : findPool(connection, id);
}

/** Inserts the pool with its own reserve. Returns undefined if the name is taken. */
export async function insertPool(
  connection: Connection,
  { nowMs, terms, today, user }: NewPool,
): Promise<number | undefined> {
  const now = new Date(nowMs);
  const columns = {
    ...columnsOf(terms),
    user_id: user,
    reserve_id: await createHouseUser(connection),
    accrued_to: today,
    paused_at: terms.state === 'paused' ? now : null,
    created_at: now,
    updated_at: now,
  };
  const names = Object.keys(columns);
  const { rows } = await connection.query(
    `insert into stake_pools (${names.join(', ')})
     values (${names.map((_, at) => `$${at + 1}`).join(', ')})
     on conflict (name) do nothing returning id`,
    Object.values(columns),
  );
  if (rows.length === 0) return undefined;
  const id = idOf(rows[0].id);
  await setRate(connection, { pool: id, fromDay: today, apyMicro: terms.apyMicro });
  return id;
}

export interface NewPool {
  readonly user: UserId;
  readonly terms: PoolTerms;
  readonly today: Day;
  readonly nowMs: number;
}

/** The pool must be locked. Returns false if the name is taken. */
export async function updatePool(
  connection: Connection,
  { nowMs, pool, terms, today }: PoolUpdate,
): Promise<boolean> {
  const now = new Date(nowMs);
  const isBefore = pool.state === 'uninitialized';
  const columns = {
    ...columnsOf(terms),
    // Nothing is staked before the start.
    accrued_to: isBefore && today > pool.accruedTo ? today : pool.accruedTo,
    paused_at: terms.state === 'paused' ? (pool.pausedAt ?? now) : null,
    updated_at: now,
  };
  const { rows } = await connection.query(
    `update stake_pools set ${Object.keys(columns)
      .map((name, at) => `${name} = $${at + 3}`)
      .join(', ')}
     where id = $1 and not exists (select from stake_pools o where o.name = $2 and o.id <> $1)
     returning id`,
    [pool.id, terms.name, ...Object.values(columns)],
  );
  if (rows.length === 0) return false;
  if (terms.apyMicro !== pool.apyMicro) {
    await changeRate(connection, { pool, apyMicro: terms.apyMicro, today });
  }
  return true;
}

export interface PoolUpdate {
  readonly pool: StakePool;
  readonly terms: PoolTerms;
  readonly today: Day;
  readonly nowMs: number;
}

/** Immediately before the start; afterward from the first day that is neither begun nor counted. */
async function changeRate(
  connection: Connection,
  { apyMicro, pool, today }: { pool: StakePool; apyMicro: bigint; today: Day },
): Promise<void> {
  const { rows } = await connection.query(
    `select greatest($2::date + $3::int, (
       select max(day) + 1 from stake_pool_days where pool_id = $1
     ), (select max(from_day) from stake_pool_rates where pool_id = $1))::text as day`,
    [pool.id, today, pool.state === 'uninitialized' ? 0 : 1],
  );
  await setRate(connection, { pool: pool.id, fromDay: rows[0].day, apyMicro });
}

async function setRate(
  connection: Connection,
  { apyMicro, fromDay, pool }: { pool: number; fromDay: Day; apyMicro: bigint },
): Promise<void> {
  await connection.query(
    `insert into stake_pool_rates (pool_id, from_day, apy_micro) values ($1, $2, $3)
     on conflict (pool_id, from_day) do update set apy_micro = excluded.apy_micro`,
    [pool, fromDay, apyMicro],
  );
}

/** Finds the coin by its symbol. Returns undefined if the engine does not have it. */
export async function findStakeAsset(
  statements: Statements,
  symbol: string,
  projectionSchema: string,
): Promise<StakeAsset | undefined> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select id, symbol, scale from ${projectionSchema}.assets where symbol = $1`,
    [symbol],
  );
  return rows.map((row) => ({
    id: idOf<AssetId>(row.id),
    symbol: row.symbol,
    scale: Number(row.scale),
  }))[0];
}

function columnsOf(terms: PoolTerms): Readonly<Record<string, unknown>> {
  const { asset, rewardAsset } = terms;
  return {
    name: terms.name,
    category: terms.category,
    disclaimer: terms.disclaimer,
    account_id: terms.account,
    asset_id: asset.id,
    currency: asset.symbol,
    scale: asset.scale,
    reward_asset_id: rewardAsset.id,
    reward_currency: rewardAsset.symbol,
    reward_scale: rewardAsset.scale,
    duration_days: terms.durationDays,
    min_atoms: terms.minAtoms,
    max_atoms: terms.maxAtoms,
    early_unstake: terms.earlyUnstake,
    principal_slash_ppm: terms.principalSlashPpm,
    reward_slash_ppm: terms.rewardSlashPpm,
    is_automatic: terms.isAutomatic,
    onboarding: terms.onboarding,
    state: terms.state,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function poolOf(row: any): StakePool {
  return {
    id: idOf(row.id),
    name: row.name,
    category: row.category,
    disclaimer: row.disclaimer,
    user: idOf(row.user_id),
    account: idOf(row.account_id),
    reserve: idOf(row.reserve_id),
    asset: { id: idOf(row.asset_id), symbol: row.currency, scale: Number(row.scale) },
    rewardAsset: {
      id: idOf(row.reward_asset_id),
      symbol: row.reward_currency,
      scale: Number(row.reward_scale),
    },
    apyMicro: BigInt(row.apy_micro),
    durationDays: row.duration_days === null ? null : Number(row.duration_days),
    minAtoms: BigInt(row.min_atoms) as Atoms,
    maxAtoms: BigInt(row.max_atoms) as Atoms,
    earlyUnstake: row.early_unstake,
    principalSlashPpm: BigInt(row.principal_slash_ppm),
    rewardSlashPpm: BigInt(row.reward_slash_ppm),
    isAutomatic: row.is_automatic,
    onboarding: row.onboarding,
    state: row.state,
    accruedTo: row.accrued_to_day,
    unfundedAtoms: BigInt(row.unfunded_atoms ?? 0) as Atoms,
    pausedAt: row.paused_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** $2 from, $3 to; either can be null. The condition can use $1. */
function listOfPools(condition: string) {
  const filtered = `from stake_pools p where ${condition}
    and ($2::timestamptz is null or p.created_at >= $2)
    and ($3::timestamptz is null or p.created_at < $3)`;
  return {
    rows: (order: string) =>
      `${POOL} where p.id in (select p.id ${filtered}) ${order} limit $4 offset $5`,
    count: `select count(*) from (select p.id ${filtered} limit $4) counted`,
    defaultSort: ['p.created_at', 'p.id'],
  } as const;
}

/** Pools visible to a user: $1 user. */
export const poolsForUser = listOfPools(`
  p.state <> 'uninitialized' and (p.onboarding or exists (
    select from stakes s where s.pool_id = p.id and s.user_id = $1 and s.state <> 'refused'))`);

/** All pools, for operators: $1 state. */
export const allPools = listOfPools('($1::text is null or p.state = $1)');
