// Balances of all users, one row per user and asset, and the totals over all users. House accounts
// have negative owners and are not listed; those of stake pools are listed only by their kind or
// ID.

import type { AssetId, UserId } from '../../../core/money/index.ts';
import { assertPlainName } from '../../../infra/postgres/index.ts';
import { listStatements, type OperatorList } from './list-statement.ts';

export interface BalanceFilter {
  readonly user?: UserId | undefined;
  readonly asset?: AssetId | undefined;
  /** Undefined for every kind except `house`. */
  readonly kind?: string | undefined;
}

export function balancesOfUsers(
  { asset, kind, user }: BalanceFilter,
  schema: string,
): OperatorList {
  assertPlainName(schema);
  const matching = `
    from ${schema}.balances b where b.owner > 0 and ($1::bigint is null or b.owner = $1)
    and ($2::bigint is null or b.asset_id = $2)
    and ($3::text is null or b.owner in (select id from users where kind = $3))
    and ($1::bigint is not null or $3::text is not null
      or b.owner not in (select id from users where kind = 'house'))`;
  return {
    ...listStatements({ matching, columns: 'b.*', table: 'b', values: [user, asset, kind] }),
    sortColumns: { user_id: 'b.owner' },
    defaultSort: ['b.owner', 'b.asset_id'],
  };
}

/** By asset; rows as of `balances`. */
export function totalBalances(schema: string): string {
  assertPlainName(schema);
  return `select asset_id, sum(available_atoms)::text as available_atoms,
      sum(held_atoms)::text as held_atoms, max(updated_at) as updated_at
    from ${schema}.balances where owner > 0 group by asset_id order by asset_id`;
}
