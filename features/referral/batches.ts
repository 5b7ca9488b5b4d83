// Batches: ranges of the log whose fees are shared. A batch is opened with its range and prices,
// then counted. Both steps can be killed and repeated: a range is taken once, under the progress
// lock, and an affiliation has one accrual per batch.

import {
  assertPlainName,
  type Connection,
  idOf,
  inTransaction,
} from '../../infra/postgres/index.ts';
import type { Prices } from '../market-data/index.ts';
import { type LogPosition, lockProgress, projectedTo } from './progress.ts';
import { type ReferralSettings, readReferralSettings } from './settings.ts';
import { shareWeight } from './shares.ts';

/**
 * Returns the prices in a currency at a time. Fees in a coin without a price earn nothing. Traders
 * must not be able to raise prices: a share would be worth more than the fees of a trade with
 * oneself.
 */
export type PricesAt = (currency: string, at: Date) => Promise<Prices>;

export interface BatchOptions {
  readonly projectionSchema: string;
  readonly pricesAt: PricesAt;
  /** A longer range becomes several batches. */
  readonly tradesPerBatch: number;
}

export interface ReferralBatch {
  readonly id: number;
  readonly from: LogPosition;
  readonly to: LogPosition;
}

/** Counts everything that is projected. Returns the number of batches. */
export async function runReferralBatches(
  connection: Connection,
  options: BatchOptions,
): Promise<number> {
  for (let counted = 0; ; counted += 1) {
    await countOpenBatches(connection, options.projectionSchema);
    if ((await openBatch(connection, options)) === undefined) return counted;
  }
}

/**
 * Takes the next range, in its own transaction. Returns undefined if nothing is left, or if
 * referral was never on. While referral is off the range is skipped, and its fees never earn
 * anything.
 */
export async function openBatch(
  connection: Connection,
  options: BatchOptions,
): Promise<ReferralBatch | undefined> {
  const { pricesAt, projectionSchema } = options;
  assertPlainName(projectionSchema);
  return inTransaction(connection, async () => {
    const settings = await readReferralSettings(connection, projectionSchema);
    const from =
      settings === undefined
        ? await startedProgress(connection)
        : await lockProgress(connection, projectionSchema, 'update');
    if (from === undefined) return undefined;
    const to = await endOfRange(connection, options, from);
    if (to === undefined) return undefined;
    const prices = settings && {
      ...(await pricesAt(settings.currency, to.time)),
      [settings.currency]: '1',
    };
    const id = await insertBatch(connection, { from, to, settings, prices });
    await connection.query('update referral_progress set frame = $1, time = $2', [
      to.frame,
      to.time,
    ]);
    return { id, from, to };
  });
}

async function startedProgress(connection: Connection): Promise<LogPosition | undefined> {
  const { rows } = await connection.query('select from referral_progress');
  return rows.length === 0 ? undefined : lockProgress(connection, '', 'update');
}

/** Returns the last projected frame, or the frame in which the batch is full. */
async function endOfRange(
  connection: Connection,
  { projectionSchema, tradesPerBatch }: BatchOptions,
  from: LogPosition,
): Promise<LogPosition | undefined> {
  const projected = await projectedTo(connection, projectionSchema);
  if (projected === undefined || projected.frame <= from.frame) return undefined;
  const { rows } = await connection.query(
    `select frame, executed_at as time from ${projectionSchema}.trades
     where executed_at >= $1 and frame > $2 and frame <= $3
     order by executed_at, number limit 1 offset $4`,
    [from.time, from.frame, projected.frame, tradesPerBatch - 1],
  );
  if (rows.length === 0) return projected;
  return { frame: Number(rows[0].frame), time: rows[0].time };
}

interface NewBatch {
  readonly from: LogPosition;
  readonly to: LogPosition;
  /** Undefined if skipped. */
  readonly settings: ReferralSettings | undefined;
  readonly prices: Prices | undefined;
}

async function insertBatch(
  connection: Connection,
  { from, prices, settings, to }: NewBatch,
): Promise<number> {
  const { rows } = await connection.query(
    `insert into referral_batches (from_frame, to_frame, from_time, to_time, state, asset_id,
       currency, scale, prices)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      from.frame,
      to.frame,
      from.time,
      to.time,
      settings === undefined ? 'skipped' : 'open',
      settings?.asset ?? null,
      settings?.currency ?? null,
      settings?.scale ?? null,
      prices === undefined ? null : JSON.stringify(prices),
    ],
  );
  return idOf(rows[0].id);
}

async function countOpenBatches(connection: Connection, projectionSchema: string): Promise<void> {
  const { rows } = await connection.query(
    `select id from referral_batches where state = 'open' order by id`,
  );
  for (const { id } of rows) await countBatch(connection, idOf(id), projectionSchema);
}

// $1 batch, $2 asset IDs, $3 their weights. A fee counts for the affiliation of the user who paid
// it, if the counterparty is outside the families of that user and of the referrer.
const COUNT = (schema: string) => `
  with batch as (select * from referral_batches where id = $1),
  weights as (select * from unnest($2::bigint[], $3::numeric[]) as w(asset_id, weight)),
  trades as (
    select t.* from batch b join ${schema}.trades t
      on t.executed_at >= b.from_time and t.executed_at <= b.to_time
        and t.frame > b.from_frame and t.frame <= b.to_frame
  ),
  fees as (
    select taker_id as user_id, maker_id as other_id, executed_at, taker_fee_atoms as fee_atoms,
      case taker_side when 'buy' then base_id else quote_id end as asset_id
    from trades
    union all
    select maker_id, taker_id, executed_at, maker_fee_atoms,
      case taker_side when 'buy' then quote_id else base_id end
    from trades
  ),
  pairs as (
    select a.user_id, f.other_id, a.referrer_id, a.earning_rate,
      sum(f.fee_atoms * w.weight) as weighed
    from fees f
    join affiliations a on a.user_id = f.user_id and f.executed_at > a.starts_at
      and (a.ends_at is null or f.executed_at < a.ends_at)
    join weights w on w.asset_id = f.asset_id
    where f.fee_atoms > 0
    group by a.user_id, f.other_id, a.referrer_id, a.earning_rate
  ),
  accruals as (
    insert into referral_accruals (user_id, batch_id, referrer_id, numerator)
    select p.user_id, $1, p.referrer_id, sum(p.weighed * p.earning_rate)
    from pairs p
    join users o on o.id = p.other_id
    left join ${schema}.user_groups og on og.user_id = p.other_id
    where p.earning_rate > 0 and not exists (
      select from users s left join ${schema}.user_groups sg on sg.user_id = s.id
      where s.id in (p.user_id, p.referrer_id)
        and (coalesce(s.parent_id, s.id) = coalesce(o.parent_id, o.id)
          or (sg.group_id > 0 and sg.group_id = og.group_id))
    )
    group by p.user_id, p.referrer_id
    having sum(p.weighed) > 0
    on conflict do nothing
    returning referrer_id, numerator
  )
  insert into referral_totals as t (referrer_id, asset_id, numerator)
  select a.referrer_id, b.asset_id, sum(a.numerator) from accruals a, batch b
  group by a.referrer_id, b.asset_id order by a.referrer_id
  on conflict (referrer_id, asset_id) do update set numerator = t.numerator + excluded.numerator`;

/**
 * Writes the accruals of an open batch, in its own transaction. A counted batch does not change.
 */
export async function countBatch(
  connection: Connection,
  id: number,
  projectionSchema: string,
): Promise<void> {
  assertPlainName(projectionSchema);
  await inTransaction(connection, async () => {
    const { rows } = await connection.query(
      `select scale, prices from referral_batches where id = $1 and state = 'open' for update`,
      [id],
    );
    if (rows.length === 0) return;
    const { assets, weights } = await weightsOf(connection, rows[0], projectionSchema);
    await connection.query(COUNT(projectionSchema), [id, assets, weights]);
    await connection.query(`update referral_batches set state = 'counted' where id = $1`, [id]);
  });
}

async function weightsOf(
  connection: Connection,
  { prices, scale }: { readonly prices: Prices; readonly scale: string },
  projectionSchema: string,
): Promise<{ readonly assets: string[]; readonly weights: bigint[] }> {
  const { rows } = await connection.query(
    `select id, symbol, scale from ${projectionSchema}.assets where symbol = any($1)`,
    [Object.keys(prices)],
  );
  return {
    assets: rows.map((row) => row.id),
    weights: rows.map((row) =>
      shareWeight({
        price: prices[row.symbol],
        feeScale: Number(row.scale),
        shareScale: Number(scale),
      }),
    ),
  };
}
