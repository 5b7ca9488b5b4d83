// Pools and stakes in their wire form.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import {
  decimal,
  type Staker,
  stakerJson,
  timeText,
  timeTextOrNull,
  type StakePool as WirePool,
  type StakePoolOfOperators as WirePoolOfOperators,
} from '../../../protocol/index.ts';
import { APY_DECIMALS, PPM_DECIMALS } from '../admin/pool-terms.ts';
import type { StakePool } from '../pools.ts';
import { type Stake, shownStake } from '../stakes.ts';

export function poolJson(pool: StakePool): WirePool {
  const { asset, rewardAsset } = pool;
  return {
    id: pool.id,
    name: pool.name,
    category: pool.category,
    currency: asset.symbol,
    reward_currency: rewardAsset.symbol,
    apy: fractionJson(pool.apyMicro, APY_DECIMALS),
    duration: pool.durationDays === null ? null : decimal(`${pool.durationDays}`),
    min_amount: amountJson(pool.minAtoms, asset.scale),
    max_amount: amountJson(pool.maxAtoms, asset.scale),
    early_unstake: pool.earlyUnstake,
    slashing: pool.principalSlashPpm > 0n || pool.rewardSlashPpm > 0n,
    slashing_earning_percentage: fractionJson(pool.rewardSlashPpm, PPM_DECIMALS),
    slashing_principle_percentage: fractionJson(pool.principalSlashPpm, PPM_DECIMALS),
    is_automatic: pool.isAutomatic,
    onboarding: pool.onboarding,
    status: pool.state,
    disclaimer: pool.disclaimer,
    paused_date: timeTextOrNull(pool.pausedAt),
    created_at: timeText(pool.createdAt.getTime()),
    updated_at: timeText(pool.updatedAt.getTime()),
  };
}

export function poolOfOperatorsJson(pool: StakePool): WirePoolOfOperators {
  return {
    ...poolJson(pool),
    user_id: pool.user,
    account_id: pool.account,
    reserve_id: pool.reserve,
    unfunded: amountJson(pool.unfundedAtoms, pool.rewardAsset.scale),
  };
}

export function stakeJson(stake: Stake): Staker {
  return stakerJson({ ...stake, ...shownStake(stake) });
}

export function amountJson(atoms: Atoms, scale: number) {
  return decimal(decimalFromAtoms(atoms, scale));
}

function fractionJson(units: bigint, decimals: number) {
  return amountJson(units as Atoms, decimals);
}
