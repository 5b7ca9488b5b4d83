// Tiers and their limits as rows, and the draft of a limit.

import type { Tier, TransactionLimit } from '../../../client/index.ts';
import { compare, isDecimal, isZero } from '../../decimals/index.ts';

export interface TierRow {
  readonly level: number;
  readonly tier: Tier;
}

export function tierRows(tiers: Readonly<Record<string, Tier>>): readonly TierRow[] {
  return Object.entries(tiers)
    .map(([level, tier]) => ({ level: Number(level), tier }))
    .toSorted((one, other) => one.level - other.level);
}

export function nextLevel(tiers: readonly TierRow[]): number {
  return Math.max(0, ...tiers.map(({ level }) => level)) + 1;
}

/** Currency of a limit for all coins without one. */
export const ALL_COINS = 'default';

export function sortedLimits(limits: readonly TransactionLimit[]): readonly TransactionLimit[] {
  return limits.toSorted(
    (one, other) =>
      one.tier - other.tier ||
      other.type.localeCompare(one.type) ||
      one.limit_currency.localeCompare(other.limit_currency),
  );
}

/** 0 lifts the limit, -1 turns the transfers off. */
export function limitKind(amount: string): 'amount' | 'unlimited' | 'disabled' {
  if (isZero(amount)) return 'unlimited';
  return amount.startsWith('-') ? 'disabled' : 'amount';
}

export interface LimitDraft {
  readonly tier: string;
  readonly type: 'withdrawal' | 'deposit';
  readonly coin: string;
  readonly currency: string;
  readonly day: string;
  readonly month: string;
}

/** A month has at least the limit of a day, unless it has none. */
export function isLimitValid({ day, month }: LimitDraft): boolean {
  if (!isDecimal(day) || !isDecimal(month)) return false;
  if (limitKind(month) !== 'amount') return true;
  return limitKind(day) === 'amount' && compare(month, day) >= 0;
}
