// Tier descriptions, and the deposit and withdrawal limits of their users. Fees are not here, but
// in the log.

import { type Statements, upsert } from '../../infra/postgres/index.ts';

/** Decimals are strings. An omitted field keeps its value, or gets its default. */
export interface TierDescription {
  readonly tier: number;
  readonly name: string;
  readonly icon?: string;
  readonly description?: string;
  readonly note?: string;
  readonly depositLimit?: string;
  readonly withdrawalLimit?: string;
  readonly nativeCurrencyLimit?: boolean;
}

export interface TransactionLimit {
  readonly id: number;
  readonly tier: number;
  readonly type: 'withdrawal' | 'deposit';
  /** Currency of the two amounts. */
  readonly currency: string;
  /** Limited currency, or `default` for all currencies without their own row. */
  readonly limitCurrency: string;
  /** Within 24 hours. */
  readonly amount: string;
  readonly monthlyAmount: string;
}

export async function describeTier(statements: Statements, tier: TierDescription): Promise<void> {
  await upsert(statements, {
    table: 'tiers',
    key: { id: tier.tier },
    values: {
      name: tier.name,
      icon: tier.icon,
      description: tier.description,
      note: tier.note,
      deposit_limit: tier.depositLimit,
      withdrawal_limit: tier.withdrawalLimit,
      native_currency_limit: tier.nativeCurrencyLimit,
    },
  });
}

/** Replaces the limit of the same tier, type and limit currency. */
export async function setTransactionLimit(
  statements: Statements,
  limit: Omit<TransactionLimit, 'id'>,
): Promise<void> {
  const { amount, currency, limitCurrency, monthlyAmount, tier, type } = limit;
  await upsert(statements, {
    table: 'transaction_limits',
    key: { tier, type, limit_currency: limitCurrency },
    values: { currency, amount, monthly_amount: monthlyAmount },
  });
}
