// The balance of a user as JSON: for every listed coin its total and its available amount.

import type { UserId } from '../../../core/money/index.ts';
import { BALANCES_OF_USER, balancesOfRows } from '../../../infra/projections/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import { type AccountNow, balanceFields } from '../../../protocol/index.ts';

const NOTHING: AccountNow = { availableAtoms: 0n, heldAtoms: 0n };

/** Coins that the user never held are included with zero. The caller has called `requireFresh`. */
export async function readBalance(
  { catalogue, projections }: Dependencies,
  user: UserId,
): Promise<string> {
  const { rows } = await projections.query(BALANCES_OF_USER, [user]);
  const { accounts, updatedMs } = balancesOfRows(rows);
  const all = [...catalogue.now.assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{"user_id":${user},${balanceFields(all, updatedMs)}}`;
}
