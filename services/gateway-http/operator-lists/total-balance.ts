// The balances of all users together. The sum reads every balance, so it is shared and kept for ten
// times as long as it took: it costs the database at most a tenth of its time, however often it is
// asked for.

import { totalBalances } from '../../../domain/operator-lists/index.ts';
import { balancesOfRows } from '../../../infra/projections/index.ts';
import { balanceFields } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { JsonText } from '../handler.ts';
import { requireFresh } from '../preconditions.ts';

const KEPT_FOR_DURATIONS = 10;
const NOTHING = { availableAtoms: 0n, heldAtoms: 0n };

interface Kept {
  readonly text: Promise<string>;
  /** Infinity while it is being read. */
  endsMs: number;
}

const kept = new WeakMap<Dependencies['registry'], Kept>();

export async function getTotalBalance(
  _call: unknown,
  dependencies: Dependencies,
): Promise<JsonText> {
  const { clock, registry } = dependencies;
  const known = kept.get(registry);
  if (known !== undefined && clock.nowMs() < known.endsMs) return new JsonText(await known.text);
  const startMs = clock.nowMs();
  const made: Kept = { text: readTotal(dependencies), endsMs: Number.POSITIVE_INFINITY };
  kept.set(registry, made);
  try {
    const text = await made.text;
    const nowMs = clock.nowMs();
    made.endsMs = nowMs + KEPT_FOR_DURATIONS * (nowMs - startMs);
    return new JsonText(text);
  } catch (fault) {
    kept.delete(registry);
    throw fault;
  }
}

async function readTotal(dependencies: Dependencies): Promise<string> {
  await requireFresh(dependencies);
  const { catalogue, exchange, registry } = dependencies;
  const { rows } = await registry.query(totalBalances(exchange.projectionSchema));
  const { accounts, updatedMs } = balancesOfRows(rows);
  const all = [...catalogue.now.assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{${balanceFields(all, updatedMs)}}`;
}
