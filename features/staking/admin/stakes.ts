// Operator action that adjusts a stake: its reward, its stated value, or its end. A changed reward
// moves between the pool's account and its reserve.

import { type Atoms, atomsFromDecimal, decimalFromAtoms } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { StakeStatus } from '../api/staking.ts';
import { readToday } from '../exchange-day.ts';
import { move } from '../movements.ts';
import { lockPool, type StakePool } from '../pools.ts';
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
  async prepare(context: ActContext, payload: StakePayload) {
    const locked = await lockStake(context.connection, payload.id);
    if (locked instanceof Refused) return locked;
    const { pool, stake } = locked;
    const change = changeOf(stake, payload);
    if (change instanceof Refused) return change;
    const { rewardCurrency, rewardScale } = stake;
    const amount = decimalFromAtoms(absolute(change.rewardAtoms), rewardScale);
    const before = shownStake(stake);
    return {
      object: `stake ${stake.id}`,
      objectVersion: `${stake.state} ${stake.rewardAtoms} ${stake.navAtoms}`,
      approvals: 1,
      ...(change.rewardAtoms !== 0n && { money: { currency: rewardCurrency, amount } }),
      // A removed reward goes to the pool's account.
      beneficiaries: [stake.user, ...(change.rewardAtoms < 0n ? [pool.account] : [])],
      shown: [
        { label: 'User', value: `${stake.user}` },
        { label: 'Amount', value: `${before.amount} ${stake.currency}` },
        { label: 'Reward', value: `${before.reward} → ${payload.reward ?? before.reward}` },
        { label: 'Reward asset', value: rewardCurrency },
        { label: 'NAV', value: `${before.nav} → ${payload.nav ?? before.nav}` },
        { label: 'Status', value: `${before.status} → ${payload.status ?? before.status}` },
      ],

      async run() {
        const { connection } = context;
        const refusal = await adjust(context, locked, change);
        if (refusal !== undefined) return refusal;
        const changed = (await findStake(connection, stake.id))!;
        return {
          result: { id: stake.id },
          subject: stake.user,
          before: { ...before },
          after: { ...shownStake(changed) },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

interface LockedStake {
  readonly stake: Stake;
  readonly pool: StakePool;
}

async function adjust(
  { connection, nowMs }: ActContext,
  { pool, stake }: LockedStake,
  { isEnding, navAtoms, rewardAtoms }: StakeAdjustment,
) {
  const refusal = rewardAtoms < 0n ? await requireFunded(connection, stake) : undefined;
  if (refusal !== undefined) return refusal;
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
  return undefined;
}

/** All staking actions. */
export const STAKING_ACTS = [
  createPoolAct,
  changePoolAct,
  terminatePoolAct,
  adjustStakeAct,
] as const;

interface StakeAdjustment {
  /** Added; negative if removed. */
  readonly rewardAtoms: bigint;
  readonly navAtoms: Atoms;
  readonly isEnding: boolean;
}

function changeOf(stake: Stake, { nav, reward, status }: StakePayload) {
  const before = shownStake(stake);
  const isLive = stake.state === 'staking' || stake.state === 'unstaking';
  if (!isLive) return new Refused('stake_has_ended');
  // A stake ended by its user stays ended.
  if (status === 'staking' && before.status !== 'staking') {
    return new Refused('stake_status_invalid', { from: before.status, to: status });
  }
  // The settlement pays a stake before it is closed, so both lead to it.
  const isEnding = status !== undefined && status !== 'staking' && stake.state === 'staking';
  const { navAtoms, rewardAtoms, rewardScale, scale } = stake;
  const newReward = reward === undefined ? rewardAtoms : atomsOf(reward, rewardScale, 'reward');
  if (newReward instanceof Refused) return newReward;
  const newNav = nav === undefined ? navAtoms : atomsOf(nav, scale, 'nav');
  if (newNav instanceof Refused) return newNav;
  const adjustment: StakeAdjustment = {
    rewardAtoms: newReward - rewardAtoms,
    navAtoms: newNav,
    isEnding,
  };
  return adjustment;
}

/** The rewards of its days must be in the reserve; otherwise other users' money would leave it. */
async function requireFunded(connection: Connection, stake: Stake) {
  const { rows } = await connection.query(
    `select from stake_movements m join stakes s on s.id = $1
     where m.pool_id = s.pool_id and m.state <> 'accepted' and (m.stake_id = s.id
       or (m.kind = 'day' and m.day > s.opened_day and m.day <= s.last_day))
     union all
     select from stakes s join stake_pools p on p.id = s.pool_id
     where s.id = $1 and p.accrued_to < s.last_day limit 1`,
    [stake.id],
  );
  return rows.length === 0 ? undefined : new Refused('stake_reward_not_funded');
}

async function lockStake(
  connection: Connection,
  id: number,
): Promise<LockedStake | Refused<'stake_not_found'>> {
  const found = await findStake(connection, id);
  if (found === undefined) return new Refused('stake_not_found');
  const pool = (await lockPool(connection, found.pool, 'share'))!;
  await connection.query('select from stakes where id = $1 for no key update', [id]);
  const stake = await findStake(connection, id);
  return stake === undefined ? new Refused('stake_not_found') : { stake, pool };
}

function atomsOf(
  text: string,
  scale: number,
  field: string,
): Atoms | Refused<'stake_value_invalid'> {
  const read = atomsFromDecimal(text, scale);
  return read.ok ? read.value : new Refused('stake_value_invalid', { field });
}

function absolute(atoms: bigint): Atoms {
  return (atoms < 0n ? -atoms : atoms) as Atoms;
}
