// Pools and stakes in their wire form.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { type Stake, type StakePool, shownStake } from '../../../domain/staking/index.ts';
import {
  decimal,
  type Staker,
  timeText,
  type StakePool as WirePool,
  type StakePoolOfOperators as WirePoolOfOperators,
} from '../../../protocol/index.ts';

/** Decimals of a percentage, in parts of a million. */
const PPM_DECIMALS = 4;
const APY_DECIMALS = 6;

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
    paused_date: timeOrNull(pool.pausedAt),
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
  const { amount, nav, reward, slashed, status } = shownStake(stake);
  return {
    id: stake.id,
    user_id: stake.user,
    stake_id: stake.pool,
    amount: decimal(amount),
    nav: decimal(nav),
    currency: stake.currency,
    reward: decimal(reward),
    reward_currency: stake.rewardCurrency,
    slashed: decimal(slashed),
    status,
    closing: timeOrNull(stake.closingAt),
    unstaked_date: timeOrNull(stake.unstakedAt),
    created_at: timeText(stake.createdAt.getTime()),
    updated_at: timeText(stake.updatedAt.getTime()),
  };
}

export function amountJson(atoms: Atoms, scale: number) {
  return decimal(decimalFromAtoms(atoms, scale));
}

function fractionJson(units: bigint, decimals: number) {
  return amountJson(units as Atoms, decimals);
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : timeText(time.getTime());
}
