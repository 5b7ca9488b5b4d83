// Balances of all users together. Reads every balance, so the result is shared and cached.

import { balancesOfRows } from '../../../infra/projections/index.ts';
import {
  type Dependencies,
  JsonText,
  keptRead,
  requireFresh,
} from '../../../platform/http/index.ts';
import { balanceFields } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { totalBalances } from '../lists/balances.ts';

const NOTHING = { availableAtoms: 0n, heldAtoms: 0n };
const keptTotal = keptRead(readTotal);

export async function getTotalBalance(
  _call: unknown,
  dependencies: Dependencies,
): Promise<JsonText | Refused<'tables_behind'>> {
  const total = await keptTotal(dependencies);
  return total instanceof Refused ? total : new JsonText(total);
}

async function readTotal(dependencies: Dependencies): Promise<string | Refused<'tables_behind'>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { catalogue, exchange, registry } = dependencies;
  const { rows } = await registry.query(totalBalances(exchange.projectionSchema));
  const { accounts, updatedMs } = balancesOfRows(rows);
  const all = [...catalogue.now.assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{${balanceFields(all, updatedMs)}}`;
}
