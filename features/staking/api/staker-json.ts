// Encodes a stake, for REST responses and stream messages alike.

import { decimal, timeText, timeTextOrNull } from '../../../protocol/wire/index.ts';
import type { Staker } from './staking.ts';

/** Amounts are decimals. */
export interface StakeFacts {
  readonly id: number;
  readonly user: number;
  readonly pool: number;
  readonly amount: string;
  readonly nav: string;
  readonly currency: string;
  readonly reward: string;
  readonly rewardCurrency: string;
  readonly slashed: string;
  readonly status: Staker['status'];
  readonly closingAt: Date | null;
  readonly unstakedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function stakerJson(stake: StakeFacts): Staker {
  return {
    id: stake.id,
    user_id: stake.user,
    stake_id: stake.pool,
    amount: decimal(stake.amount),
    nav: decimal(stake.nav),
    currency: stake.currency,
    reward: decimal(stake.reward),
    reward_currency: stake.rewardCurrency,
    slashed: decimal(stake.slashed),
    status: stake.status,
    closing: timeTextOrNull(stake.closingAt),
    unstaked_date: timeTextOrNull(stake.unstakedAt),
    created_at: timeText(stake.createdAt.getTime()),
    updated_at: timeText(stake.updatedAt.getTime()),
  };
}
