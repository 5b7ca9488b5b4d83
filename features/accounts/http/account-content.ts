// Content of an account that must be gone before it closes: transfers in progress, stakes, balances
// and orders. The caller holds the account lock, so nothing new begins during the call.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import {
  BALANCES_OF_USER,
  balancesOfRows,
  OPEN_ORDER_OF_USER,
} from '../../../infra/projections/index.ts';
import { type Dependencies, requireFresh } from '../../../platform/http/index.ts';
import type { Refused } from '../../../protocol/wire/index.ts';
import { hasOpenRequests } from '../../payments/index.ts';
import { hasLiveStakes } from '../../staking/index.ts';

/**
 * `statements` is the connection that holds the lock. Reads the requests first: a transfer that
 * ended earlier is in the log, and the tables are read once they have all of it. `timeoutMs` limits
 * that wait.
 */
export async function findContent(
  dependencies: Dependencies,
  statements: Statements,
  { timeoutMs, user }: { readonly user: UserId; readonly timeoutMs?: number },
): Promise<readonly string[] | Refused<'tables_behind'>> {
  const { projections } = dependencies;
  const open = await hasOpenRequests(statements, user);
  const isStaking = await hasLiveStakes(statements, user);
  const behind = await requireFresh(dependencies, timeoutMs);
  if (behind !== undefined) return behind;
  const [balances, orders] = await Promise.all([
    projections.query(BALANCES_OF_USER, [user]),
    projections.query(OPEN_ORDER_OF_USER, [user]),
  ]);
  const accounts = [...balancesOfRows(balances.rows).accounts.values()];
  const hasBalance = accounts.some(
    ({ availableAtoms, heldAtoms }) => availableAtoms !== 0n || heldAtoms !== 0n,
  );
  return [
    ...(open.deposit ? ['a deposit in progress'] : []),
    ...(open.withdrawal ? ['a withdrawal in progress'] : []),
    ...(isStaking ? ['a stake'] : []),
    ...(hasBalance ? ['a balance'] : []),
    ...(orders.rows.length > 0 ? ['an open order'] : []),
  ];
}
