// The act by which operators adjust a stake: its reward, the value that they state, or its end. A
// changed reward moves between the account of the pool and its reserve.

import { type Atoms, atomsFromDecimal, decimalFromAtoms } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { type ActContext, ActRefused, type Assessment, defineAct } from '../../approvals/index.ts';
import type { StakeStatus } from '../api/staking.ts';
import { readToday } from '../exchange-day.ts';
import { move } from '../movements.ts';
import { findPool, lockPool, type StakePool } from '../pools.ts';
import { endStakes, findStake, type Stake, shownStake } from '../stakes.ts';
import { changePoolAct, createPoolAct, terminatePoolAct } from './pools.ts';

export type StakePayload = {
  readonly id: number;
  /** Decimals. */
  readonly nav?: string;
  readonly reward?: string;
  readonly status?: StakeStatus;
};

export const adjustStakeAct = defineAct({
  name: 'stake.adjust',
  votePower: 'approve.money',
  async assess(context: ActContext, payload: StakePayload): Promise<Assessment> {
    const { pool, stake } = await requireStake(context.connection, payload.id);
    const change = changeOf(stake, payload);
    const { rewardCurrency, rewardScale } = stake;
    const amount = decimalFromAtoms(absolute(change.rewardAtoms), rewardScale);
    const before = shownStake(stake);
    return {
      object: `stake ${stake.id}`,
      objectVersion: `${stake.state} ${stake.rewardAtoms} ${stake.navAtoms}`,
      approvals: 1,
      ...(change.rewardAtoms !== 0n && { money: { currency: rewardCurrency, amount } }),
      // A reward that is taken away goes to the account of the pool.
      beneficiaries: [stake.user, ...(change.rewardAtoms < 0n ? [pool.account] : [])],
      shown: [
        { label: 'user', value: `${stake.user}` },
        { label: 'amount', value: `${before.amount} ${stake.currency}` },
        { label: 'reward', value: `${before.reward} → ${payload.reward ?? before.reward}` },
        { label: 'currency of the reward', value: rewardCurrency },
        { label: 'nav', value: `${before.nav} → ${payload.nav ?? before.nav}` },
        { label: 'status', value: `${before.status} → ${payload.status ?? before.status}` },
      ],
    };
  },
  async execute(context: ActContext, payload: StakePayload) {
    const { connection, nowMs } = context;
    const found = await requireStake(connection, payload.id);
    const pool = (await lockPool(connection, found.pool.id, 'share'))!;
    await connection.query('select from stakes where id = $1 for no key update', [payload.id]);
    const { stake } = await requireStake(connection, payload.id);
    const { isEnding, navAtoms, rewardAtoms } = changeOf(stake, payload);
    if (rewardAtoms < 0n) await requireFunded(connection, stake);
    await connection.query(
      `update stakes set adjusted_atoms = adjusted_atoms + $2, nav_atoms = $3, updated_at = $4
       where id = $1`,
      [stake.id, rewardAtoms, navAtoms, new Date(nowMs)],
    );
    if (isEnding) {
      const today = await readToday(connection, nowMs);
      const ending = { where: 'id = $4', value: stake.id, isEarly: false } as const;
      await endStakes(connection, { ...ending, today, nowMs });
    }
    const [sender, receiver] =
      rewardAtoms > 0n ? [pool.account, pool.reserve] : [pool.reserve, pool.account];
    await move(connection, {
      pool: pool.id,
      stake: stake.id,
      kind: 'adjust',
      sender,
      receiver,
      asset: pool.rewardAsset.id,
      amountAtoms: absolute(rewardAtoms),
    });
    const changed = (await findStake(connection, stake.id))!;
    return {
      result: { id: stake.id },
      subject: stake.user,
      before: { ...shownStake(stake) },
      after: { ...shownStake(changed) },
      effects: { dispatcher: true },
    };
  },
});

/** All acts of staking. */
export const STAKING_ACTS = [
  createPoolAct,
  changePoolAct,
  terminatePoolAct,
  adjustStakeAct,
] as const;

interface StakeAdjustment {
  /** Added; negative if taken away. */
  readonly rewardAtoms: bigint;
  readonly navAtoms: Atoms;
  readonly isEnding: boolean;
}

function changeOf(stake: Stake, { nav, reward, status }: StakePayload): StakeAdjustment {
  const before = shownStake(stake);
  const isLive = stake.state === 'staking' || stake.state === 'unstaking';
  const isEnding = status === 'unstaking' && stake.state === 'staking';
  if (!isLive) throw new ActRefused('stake_has_ended');
  if (status !== undefined && status !== before.status && !isEnding) {
    throw new ActRefused('stake_status_invalid', { from: before.status, to: status });
  }
  const { navAtoms, rewardAtoms, rewardScale, scale } = stake;
  return {
    rewardAtoms: reward === undefined ? 0n : atomsOf(reward, rewardScale, 'reward') - rewardAtoms,
    navAtoms: nav === undefined ? navAtoms : atomsOf(nav, scale, 'nav'),
    isEnding,
  };
}

/** The rewards of its days are in the reserve: otherwise money of others would leave it. */
async function requireFunded(connection: Connection, stake: Stake): Promise<void> {
  const { rows } = await connection.query(
    `select from stake_movements m join stakes s on s.id = $1
     where m.pool_id = s.pool_id and m.state <> 'accepted' and (m.stake_id = s.id
       or (m.kind = 'day' and m.day > s.opened_day and m.day <= s.last_day))
     union all
     select from stakes s join stake_pools p on p.id = s.pool_id
     where s.id = $1 and p.accrued_to < s.last_day limit 1`,
    [stake.id],
  );
  if (rows.length > 0) throw new ActRefused('stake_reward_not_funded');
}

async function requireStake(
  connection: Connection,
  id: number,
): Promise<{ readonly stake: Stake; readonly pool: StakePool }> {
  const stake = await findStake(connection, id);
  if (stake === undefined) throw new ActRefused('stake_not_found');
  return { stake, pool: (await findPool(connection, stake.pool))! };
}

function atomsOf(text: string, scale: number, field: string): Atoms {
  const read = atomsFromDecimal(text, scale);
  if (!read.ok) throw new ActRefused('stake_value_invalid', { field });
  return read.value;
}

function absolute(atoms: bigint): Atoms {
  return (atoms < 0n ? -atoms : atoms) as Atoms;
}
