// Counts a pool's daily rewards in order: sets the day's rate and price, counts its stakes in
// batches, then funds the total with one movement. Each step is a separate transaction that can be
// killed and repeated, because a stake has one accrual per day and a day has one movement.

import type { Atoms } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { type Day, dayAfter, dayOf, midnightOf, readZone } from './exchange-day.ts';
import { move } from './movements.ts';
import { lockPool, type StakePool } from './pools.ts';
import { dayWeight, PRICE_ONE, priceUnitsOf, rewardDivisor } from './rewards.ts';

/**
 * Returns the price of one unit of `currency` in `quote` at a time, as a decimal; undefined if
 * unknown.
 */
export type StakePriceAt = (question: {
  readonly currency: string;
  readonly quote: string;
  readonly at: Date;
}) => Promise<string | undefined>;

export interface AccrueOptions {
  readonly nowMs: number;
  /** Stakes per transaction. */
  readonly batch: number;
  /** The price must not be open to manipulation: a higher one raises rewards. */
  readonly priceAt: StakePriceAt;
}

// A terminated pool is counted until its last stake has ended.
const POOLS_BEHIND = `
  select id from stake_pools p
  where accrued_to < $1 and (state in ('active', 'paused') or (state = 'terminated' and exists (
    select from stakes s where s.pool_id = p.id
      and s.state in ('staking', 'unstaking') and s.end_day > p.accrued_to)))
  order by id`;

/** Returns the number of counted days. A failing pool does not delay the others. */
export async function accrueRewards(
  connection: Connection,
  options: AccrueOptions,
): Promise<number> {
  const zone = await readZone(connection);
  const today = dayOf(options.nowMs, zone);
  const { rows } = await connection.query(POOLS_BEHIND, [today]);
  const faults: unknown[] = [];
  let counted = 0;
  for (const { id } of rows) {
    try {
      while (await accrueNextDay(connection, Number(id), { ...options, today, zone })) counted += 1;
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1)
    throw new AggregateError(faults, 'reward accrual failed for several pools');
  return counted;
}

interface OptionsOfDay extends AccrueOptions {
  readonly today: Day;
  readonly zone: string;
}

/**
 * Returns false if no day is left, or if the next one has no price yet: a price is never guessed.
 */
async function accrueNextDay(
  connection: Connection,
  pool: number,
  options: OptionsOfDay,
): Promise<boolean> {
  const opened = await inTransaction(connection, () => openDay(connection, pool, options));
  if (opened === undefined) return false;
  for (;;) {
    while ((await accrueBatch(connection, opened, options.batch)) === options.batch);
    if (await inTransaction(connection, () => closeDay(connection, opened))) return true;
  }
}

interface OpenDay {
  readonly pool: number;
  readonly day: Day;
  readonly weight: bigint;
  readonly divisor: bigint;
}

/** Fixes the rate and price of the next day. They do not change if the day was already opened. */
async function openDay(
  connection: Connection,
  id: number,
  options: OptionsOfDay,
): Promise<OpenDay | undefined> {
  const pool = await lockPool(connection, id, 'update');
  if (pool === undefined) return undefined;
  const day = dayAfter(pool.accruedTo);
  if (day > options.today) return undefined;
  const found = await readDay(connection, id, day);
  const terms = found ?? (await termsOfDay(connection, pool, { ...options, day }));
  if (terms === undefined) return undefined;
  if (found === undefined) {
    await connection.query(
      `insert into stake_pool_days (pool_id, day, apy_micro, price_units) values ($1, $2, $3, $4)`,
      [id, day, terms.apyMicro, terms.priceUnits],
    );
  }
  const weight = dayWeight({ ...terms, rewardScale: pool.rewardAsset.scale });
  return { pool: id, day, weight, divisor: rewardDivisor(pool.asset.scale) };
}

interface TermsOfDay {
  readonly apyMicro: bigint;
  readonly priceUnits: bigint;
}

async function readDay(
  connection: Connection,
  pool: number,
  day: Day,
): Promise<TermsOfDay | undefined> {
  const { rows } = await connection.query(
    'select apy_micro, price_units from stake_pool_days where pool_id = $1 and day = $2',
    [pool, day],
  );
  return rows.map((row) => ({
    apyMicro: BigInt(row.apy_micro),
    priceUnits: BigInt(row.price_units),
  }))[0];
}

/** Returns undefined if the day has no price. A day without a rate needs none. */
async function termsOfDay(
  connection: Connection,
  pool: StakePool,
  { day, priceAt, zone }: OptionsOfDay & { readonly day: Day },
): Promise<TermsOfDay | undefined> {
  const { rows } = await connection.query(
    `select apy_micro from stake_pool_rates where pool_id = $1 and from_day <= $2
     order by from_day desc limit 1`,
    [pool.id, day],
  );
  const apyMicro = pool.isAutomatic ? BigInt(rows[0]?.apy_micro ?? 0) : 0n;
  const { asset, rewardAsset } = pool;
  if (asset.id === rewardAsset.id) return { apyMicro, priceUnits: PRICE_ONE };
  if (apyMicro === 0n) return { apyMicro, priceUnits: 0n };
  const at = midnightOf(day, zone);
  const price = await priceAt({ currency: asset.symbol, quote: rewardAsset.symbol, at });
  return price === undefined ? undefined : { apyMicro, priceUnits: priceUnitsOf(price) };
}

const DUE = `pool_id = $1 and state in ('staking', 'unstaking') and last_day = $2::date - 1
  and (end_day is null or end_day >= $2)`;

// $1 pool, $2 day, $3 weight, $4 divisor, $5 limit.
const ACCRUE = `
  with due as (
    select id, numerator + principal_atoms * $3::numeric as numerator, accrued_atoms
    from stakes where ${DUE} order by id limit $5 for no key update
  ), accruals as (
    insert into stake_accruals (stake_id, day, pool_id, atoms)
    select id, $2, $1, div(numerator, $4::numeric) - accrued_atoms from due
    on conflict do nothing returning stake_id
  )
  update stakes s set numerator = d.numerator, accrued_atoms = div(d.numerator, $4::numeric),
    last_day = $2
  from due d join accruals a on a.stake_id = d.id
  where s.id = d.id and s.last_day = $2::date - 1`;

/** One statement, and so one transaction. Returns the number of stakes. */
async function accrueBatch(
  connection: Connection,
  { day, divisor, pool, weight }: OpenDay,
  batch: number,
): Promise<number> {
  const { rowCount } = await connection.query(ACCRUE, [pool, day, weight, divisor, batch]);
  return rowCount ?? 0;
}

/** Funds the total. Returns false if a stake began in the meantime and is not counted yet. */
async function closeDay(connection: Connection, { day, pool: id }: OpenDay): Promise<boolean> {
  const pool = await lockPool(connection, id, 'update');
  // Another process might have counted the day in the meantime.
  if (pool === undefined || pool.accruedTo >= day) return true;
  const left = await connection.query(`select from stakes where ${DUE} limit 1`, [id, day]);
  if (left.rows.length > 0) return false;
  const { rows } = await connection.query(
    `update stake_pool_days set sum_atoms = (
       select coalesce(sum(atoms), 0) from stake_accruals where pool_id = $1 and day = $2
     ) where pool_id = $1 and day = $2 returning sum_atoms`,
    [id, day],
  );
  await connection.query('update stake_pools set accrued_to = $2 where id = $1', [id, day]);
  await move(connection, {
    pool: id,
    kind: 'day',
    day,
    sender: pool.account,
    receiver: pool.reserve,
    asset: pool.rewardAsset.id,
    amountAtoms: BigInt(rows[0].sum_atoms) as Atoms,
  });
  return true;
}
