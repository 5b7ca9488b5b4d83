// Operators' descriptions of coins and pairs. Gateways show them within two seconds. A description
// makes nothing tradable: that takes a command.

import { type Statements, upsert } from '../../infra/postgres/index.ts';
import type { CoinType, WithdrawalFeeEntry } from './catalogue-entries.ts';
import { PLAIN_DECIMAL } from './catalogue-snapshot.ts';

/** Decimals are strings. An omitted field keeps its value, or gets its default. */
export interface CoinDescription {
  readonly symbol: string;
  readonly fullname: string;
  readonly type?: CoinType;
  readonly verified?: boolean;
  readonly isPublic?: boolean;
  readonly active?: boolean;
  readonly allowDeposit?: boolean;
  readonly allowWithdrawal?: boolean;
  readonly withdrawalFee?: string;
  readonly withdrawalFees?: Readonly<Record<string, WithdrawalFeeEntry>> | null;
  readonly min?: string | null;
  readonly max?: string | null;
  readonly incrementUnit?: string | null;
  readonly estimatedPrice?: string | null;
  readonly description?: string | null;
  readonly network?: string | null;
  readonly standard?: string | null;
  readonly issuer?: string | null;
  readonly logo?: string | null;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly createdBy?: number;
}

export interface PairDescription {
  /** For example `btc-usdt`. */
  readonly symbol: string;
  readonly verified?: boolean;
  readonly isPublic?: boolean;
  readonly active?: boolean;
  readonly estimatedPrice?: string | null;
  readonly createdBy?: number;
}

/** Throws PostgreSQL's error if a check of the table fails. */
export async function describeCoin(statements: Statements, coin: CoinDescription): Promise<void> {
  for (const [network, fee] of Object.entries(coin.withdrawalFees ?? {})) {
    const decimals = [fee.value, fee.min ?? '0', fee.max ?? '0'];
    if (!decimals.every((text) => PLAIN_DECIMAL.test(text))) {
      throw new RangeError(`expected decimal strings in the fee of network ${network}`);
    }
  }
  await upsert(statements, {
    table: 'coins',
    key: { symbol: coin.symbol },
    values: {
      fullname: coin.fullname,
      type: coin.type,
      verified: coin.verified,
      is_public: coin.isPublic,
      active: coin.active,
      allow_deposit: coin.allowDeposit,
      allow_withdrawal: coin.allowWithdrawal,
      withdrawal_fee: coin.withdrawalFee,
      withdrawal_fees: coin.withdrawalFees,
      min: coin.min,
      max: coin.max,
      increment_unit: coin.incrementUnit,
      estimated_price: coin.estimatedPrice,
      description: coin.description,
      network: coin.network,
      standard: coin.standard,
      issuer: coin.issuer,
      logo: coin.logo,
      meta: coin.meta,
      created_by: coin.createdBy,
    },
  });
}

export async function describePair(statements: Statements, pair: PairDescription): Promise<void> {
  await upsert(statements, {
    table: 'pairs',
    key: { symbol: pair.symbol },
    values: {
      verified: pair.verified,
      is_public: pair.isPublic,
      active: pair.active,
      estimated_price: pair.estimatedPrice,
      created_by: pair.createdBy,
    },
  });
}

/** Whether quotes from the pair's book can convert it. */
export async function describeQuickTrade(
  statements: Statements,
  { active, symbol }: { readonly symbol: string; readonly active: boolean },
): Promise<void> {
  await upsert(statements, { table: 'quick_trade', key: { symbol }, values: { active } });
}
