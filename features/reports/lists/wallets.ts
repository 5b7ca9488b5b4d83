// Deposit addresses of all users.

import type { UserId } from '../../../core/money/index.ts';
import { idOf } from '../../../infra/postgres/index.ts';
import {
  type DateRange,
  listStatements,
  type OperatorList,
  userColumns,
} from './list-statement.ts';

export interface WalletFilter extends DateRange {
  readonly user?: UserId | undefined;
  readonly currency?: string | undefined;
  readonly address?: string | undefined;
  readonly isValid?: boolean | undefined;
  readonly network?: string | undefined;
}

export function walletsOfUsers(filter: WalletFilter): OperatorList {
  const { address, currency, from, isValid, network, to, user } = filter;
  const matching = `
    from wallets w where ($1::bigint is null or w.user_id = $1)
    and ($2::text is null or w.currency = $2)
    and ($3::text is null or w.address = $3)
    and ($4::boolean is null or case when $4 then w.is_valid else not w.is_valid end)
    and ($5::text is null or w.network = $5)
    and ($6::timestamptz is null or w.created_at >= $6)
    and ($7::timestamptz is null or w.created_at < $7)`;
  const isByTime = from !== undefined || to !== undefined;
  return {
    ...listStatements({
      matching,
      columns: 'w.*',
      table: 'w',
      values: [user, currency, address, isValid, network, from, to],
      lookedUp: userColumns('w.user_id'),
    }),
    sortColumns: {
      id: 'w.id',
      created_at: 'w.created_at',
      updated_at: { by: 'w.updated_at' },
      user_id: { by: 'w.user_id' },
      currency: { by: 'w.currency' },
      network: { by: 'w.network' },
      address: { by: 'w.address' },
    },
    defaultSort: isByTime ? ['w.created_at', 'w.id'] : ['w.id'],
  };
}

export interface WalletOfRow {
  readonly user: UserId;
  readonly email: string;
  readonly currency: string;
  readonly address: string;
  readonly network: string;
  readonly standard: string | null;
  readonly isValid: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function walletOfRow(row: any): WalletOfRow {
  return {
    user: idOf(row.user_id),
    email: row.email,
    currency: row.currency,
    address: row.address,
    network: row.network,
    standard: row.standard,
    isValid: row.is_valid,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
