// Users' stakes: opening → staking → unstaking → settling → closed, or refused if the engine
// rejects the principal. The terms are those of the pool on the day of the stake.

import { type Atoms, decimalFromAtoms, type UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import type { OutboxPosition } from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { lockFamily } from '../payments/index.ts';
import type { StakeStatus } from './api/staking.ts';
import { type Day, readToday } from './exchange-day.ts';
import { move } from './movements.ts';
import { lockPool } from './pools.ts';
import { type Settlement, settlementOf } from './rewards.ts';

export const STAKES_PER_USER_MAX = 12;

export type StakeState = 'opening' | 'refused' | 'staking' | 'unstaking' | 'settling' | 'closed';

export interface Stake {
  readonly id: number;
  readonly pool: number;
  readonly user: UserId;
  readonly state: StakeState;
  readonly currency: string;
  readonly scale: number;
  readonly rewardCurrency: string;
  readonly rewardScale: number;
  readonly principalAtoms: Atoms;
  readonly rewardAtoms: Atoms;
  readonly navAtoms: Atoms;
  readonly isEarly: boolean;
  readonly principalSlashPpm: bigint;
  readonly rewardSlashPpm: bigint;
  readonly lastDay: Day | null;
  readonly closingDay: Day | null;
  readonly closingAt: Date | null;
  readonly unstakedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface OpenedStake {
  readonly id: number;
  readonly position: OutboxPosition;
}

/** Columns of a stake `s` with its pool `p`, as read by stakeOf. */
export const STAKE_COLUMNS = `
  s.*, s.last_day::text as last_day_text, s.closing_day::text as closing_day_text,
  p.currency, p.scale, p.reward_currency, p.reward_scale`;

/** Requests the principal from the engine, in its own transaction. */
export function openStake(
  connection: Connection,
  asked: {
    readonly user: UserId;
    readonly pool: number;
    readonly amountAtoms: Atoms;
    readonly nowMs: number;
  },
) {
  const { amountAtoms, nowMs, user } = asked;
  return inTransaction(connection, async () => {
    await lockFamily(connection, user);
    const pool = await lockPool(connection, asked.pool, 'share');
    if (pool === undefined || pool.state === 'uninitialized') {
      return new Refused('stake_pool_not_found');
    }
    if (pool.state !== 'active') return new Refused('stake_pool_not_active');
    if (!pool.onboarding) return new Refused('stake_pool_closed');
    const { scale, symbol: currency } = pool.asset;
    if (amountAtoms < pool.minAtoms) {
      const min = decimalFromAtoms(pool.minAtoms, scale);
      return new Refused('stake_amount_too_small', { min, currency });
    }
    if (amountAtoms > pool.maxAtoms) {
      const max = decimalFromAtoms(pool.maxAtoms, scale);
      return new Refused('stake_amount_too_large', { max, currency });
    }
    // The pool would earn from itself.
    if (user === pool.account) return new Refused('stake_account_cannot');
    const { rows } = await connection.query(
      `select u.state, (
         select count(*) from stakes s where s.user_id = $1 and s.state not in ('refused', 'closed')
       ) as live from users u where u.id = $1`,
      [user],
    );
    if (rows[0]?.state !== 'active') return new Refused('stake_account_cannot');
    if (Number(rows[0].live) >= STAKES_PER_USER_MAX) {
      return new Refused('stakes_limit_reached', { max: STAKES_PER_USER_MAX });
    }
    const made = await connection.query(
      `insert into stakes (pool_id, user_id, principal_atoms, nav_atoms, duration_days,
         early_unstake, principal_slash_ppm, reward_slash_ppm, created_at, updated_at)
       values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $8) returning id`,
      [
        pool.id,
        user,
        amountAtoms,
        pool.durationDays,
        pool.earlyUnstake,
        pool.principalSlashPpm,
        pool.rewardSlashPpm,
        new Date(nowMs),
      ],
    );
    const id = idOf(made.rows[0].id);
    const position = await move(connection, {
      pool: pool.id,
      stake: id,
      kind: 'open',
      sender: user,
      receiver: pool.reserve,
      asset: pool.asset.id,
      amountAtoms,
    });
    const opened: OpenedStake = { id, position: position! };
    return opened;
  });
}

/**
 * Ends a stake at its user's request, in its own transaction: before the closing day if its terms
 * allow it, at the cost of the slashes. It earns for all days up to today.
 */
export function unstake(
  connection: Connection,
  { id, nowMs, user }: { readonly user: UserId; readonly id: number; readonly nowMs: number },
) {
  return inTransaction(connection, async () => {
    const found = await connection.query(
      `select pool_id from stakes where id = $1 and user_id = $2 and state <> 'refused'`,
      [id, user],
    );
    if (found.rows.length === 0) return new Refused('stake_not_found');
    const pool = await lockPool(connection, idOf(found.rows[0].pool_id), 'share');
    if (pool?.state !== 'active') return new Refused('unstake_pool_not_active');
    const today = await readToday(connection, nowMs);
    const { rows } = await connection.query(
      `select state, early_unstake, closing_day > $2::date as is_early from stakes
       where id = $1 for no key update`,
      [id, today],
    );
    const [{ early_unstake, is_early, state }] = rows;
    if (state !== 'staking') return new Refused('stake_has_ended');
    // Null without a closing day.
    const isEarly = is_early === true;
    if (isEarly && !early_unstake && !pool.earlyUnstake)
      return new Refused('stake_period_not_over');
    await endStakes(connection, { where: 'id = $4', value: id, isEarly, today, nowMs });
    return undefined;
  });
}

/** The pool must be locked. Stakes without a requested end end today at the latest. */
export async function endStakes(
  connection: Connection,
  ending: {
    /** Selects the stakes; the value is $4. */
    readonly where: 'id = $4' | 'pool_id = $4';
    readonly value: number;
    readonly isEarly: boolean;
    readonly today: Day;
    readonly nowMs: number;
  },
): Promise<number> {
  const { isEarly, nowMs, today, value, where } = ending;
  const { rowCount } = await connection.query(
    `update stakes set state = 'unstaking', is_early = $1, unstaked_at = $2, updated_at = $2,
       end_day = greatest(last_day, least(end_day, $3::date))
     where state = 'staking' and ${where}`,
    [isEarly, new Date(nowMs), today, value],
  );
  return rowCount ?? 0;
}

export async function findStake(
  statements: Statements,
  id: number,
  owner?: UserId,
): Promise<Stake | undefined> {
  const { rows } = await statements.query(
    `select ${STAKE_COLUMNS} from stakes s join stake_pools p on p.id = s.pool_id
     where s.id = $1 and s.state <> 'refused' and ($2::bigint is null or s.user_id = $2)`,
    [id, owner ?? null],
  );
  return rows.map(stakeOf)[0];
}

/** Whether the user has money in a pool, or moving there or back. */
export async function hasLiveStakes(statements: Statements, user: UserId): Promise<boolean> {
  const { rows } = await statements.query(
    `select from stakes where user_id = $1 and state not in ('refused', 'closed') limit 1`,
    [user],
  );
  return rows.length > 0;
}

/** Returns the outcome if the stake ended now. */
export function estimateEnd(stake: Stake, today: Day): Settlement {
  const isBeforeEnd = stake.closingDay !== null && today < stake.closingDay;
  return settlementOf({
    ...stake,
    isEarly: stake.state === 'staking' ? isBeforeEnd : stake.isEarly,
  });
}

/** Values shown to users; amounts are decimals. */
export interface ShownStake {
  /** After an early end, without its cost. */
  readonly amount: string;
  readonly nav: string;
  readonly reward: string;
  /** Part of the reward lost by an early end. */
  readonly slashed: string;
  readonly status: StakeStatus;
}

export function shownStake(stake: Stake): ShownStake {
  const { rewardAtoms, rewardScale, scale } = stake;
  // Nothing is slashed until the user requests it.
  const { principalAtoms, slashedRewardAtoms } = settlementOf(stake);
  return {
    amount: decimalFromAtoms(principalAtoms, scale),
    nav: decimalFromAtoms(stake.navAtoms, scale),
    reward: decimalFromAtoms(rewardAtoms, rewardScale),
    slashed: decimalFromAtoms(slashedRewardAtoms, rewardScale),
    status: STATUS[stake.state],
  };
}

const STATUS: Readonly<Record<StakeState, StakeStatus>> = {
  opening: 'staking',
  refused: 'closed',
  staking: 'staking',
  unstaking: 'unstaking',
  settling: 'unstaking',
  closed: 'closed',
};

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function stakeOf(row: any): Stake {
  return {
    id: idOf(row.id),
    pool: idOf(row.pool_id),
    user: idOf(row.user_id),
    state: row.state,
    currency: row.currency,
    scale: Number(row.scale),
    rewardCurrency: row.reward_currency,
    rewardScale: Number(row.reward_scale),
    principalAtoms: BigInt(row.principal_atoms) as Atoms,
    rewardAtoms: (BigInt(row.accrued_atoms) + BigInt(row.adjusted_atoms)) as Atoms,
    navAtoms: BigInt(row.nav_atoms) as Atoms,
    isEarly: row.is_early,
    principalSlashPpm: BigInt(row.principal_slash_ppm),
    rewardSlashPpm: BigInt(row.reward_slash_ppm),
    lastDay: row.last_day_text,
    closingDay: row.closing_day_text,
    closingAt: row.closing_at,
    unstakedAt: row.unstaked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
