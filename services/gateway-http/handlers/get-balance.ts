// What a user has: for every listed coin its total and what may be used.

import type { UserId } from '../../../core/money/index.ts';
import { BALANCES_OF_USER, balancesOfRows } from '../../../infra/projections/index.ts';
import { type AccountNow, balanceFields, type Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { requireFresh } from '../require-fresh.ts';

export async function getBalance(
  { caller }: Call<Routes['getBalance']>,
  parts: Parts,
): Promise<JsonText> {
  await requireFresh(parts);
  return new JsonText(await readBalance(parts, caller.user));
}

const NOTHING: AccountNow = { availableAtoms: 0n, heldAtoms: 0n };

/** As JSON. Coins that the user never had are there with nothing. */
export async function readBalance(parts: Parts, user: UserId): Promise<string> {
  const { rows } = await parts.projections.query(BALANCES_OF_USER, [user]);
  const { accounts, updatedMs } = balancesOfRows(rows);
  const { assetsById } = parts.catalogue.now;
  const all = [...assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{"user_id":${user},${balanceFields(all, updatedMs)}}`;
}
