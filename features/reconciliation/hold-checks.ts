// Compares the amounts that the engine holds for withdrawals and pending burns with their requests.

import { destinationHash } from '../../infra/signer-link/index.ts';
import { LOST_ADDRESS } from '../payments/index.ts';
import { amountText, type Check, type Difference } from './check.ts';
import type { EngineHold, EngineState } from './engine-state.ts';

/** Each hold has its request, and each request that needs a hold has one. */
export const HOLDS: Check = {
  name: 'holds',
  pauses: true,
  async walk(context) {
    const { connection, engine } = context;
    const before = new Set(engine.holds().keys());
    const { rows } = await connection.query(HELD_REQUESTS);
    const frames = rows.map((row) => Number(row.frame ?? 0));
    if (!(await engine.reach(Math.max(0, ...frames)))) return 'later';
    const holds = engine.holds();
    const requests = new Map(rows.map((row) => [Number(row.id), row]));
    const differences: Difference[] = [];
    for (const [id, row] of requests) {
      const hold = holds.get(id);
      // In progress: the engine might already have it, or no longer have it.
      if (hold === undefined && !row.is_held) continue;
      const found = hold === undefined ? 'no hold' : holdText(engine, hold);
      const expected = holdText(engine, holdOf(row));
      if (expected === found && hasOtherAddress(row, hold)) {
        const changed = { expected: 'the address of the hold', found: 'another address' };
        differences.push({ object: `withdrawal ${id}`, asset: row.currency, ...changed });
      }
      if (expected === found) continue;
      differences.push({ object: `withdrawal ${id}`, asset: row.currency, expected, found });
    }
    for (const [id, hold] of holds) {
      if (requests.has(id) || !before.has(id)) continue;
      const { symbol: asset } = engine.assetOf(hold.asset);
      const found = holdText(engine, hold);
      differences.push({ object: `withdrawal ${id}`, asset, expected: 'no hold', found });
    }
    return { frame: engine.frame, rows: rows.length, differences, next: undefined };
  },
};

/** Withdrawals and pending burns. The engine takes no fee for a burn; its row only shows one. */
const HELD_REQUESTS = `
  select id, user_id, asset_id, currency, amount_atoms, fee_asset_id,
    case when kind = 'burn' then 0 else fee_atoms end as fee_atoms, network, address,
    state in ('in_review', 'approved', 'claimed') as is_held,
    (select max(o.frame) from outbox o where o.withdrawal_request = r.id) as frame
  from withdrawal_requests r
  where state in ('opening', 'in_review', 'approved', 'claimed',
    'completing', 'canceling', 'dismissing', 'rejecting', 'expiring')`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function holdOf(row: any): EngineHold {
  return {
    user: Number(row.user_id),
    asset: Number(row.asset_id),
    amountAtoms: BigInt(row.amount_atoms),
    feeAsset: Number(row.fee_asset_id),
    feeAtoms: BigInt(row.fee_atoms),
  } as EngineHold;
}

/** The log has only a hash of the address, so the original one cannot be shown. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function hasOtherAddress(row: any, hold: EngineHold | undefined): boolean {
  if (hold === undefined || hold.destination === '' || row.address === LOST_ADDRESS) return false;
  return hold.destination !== destinationHash(Number(row.id), row.network ?? '', row.address);
}

function holdText(engine: EngineState, hold: EngineHold): string {
  const { amountAtoms, asset, feeAsset, feeAtoms, user } = hold;
  const fee = feeAtoms === 0n ? '' : `, fee ${amountText(engine, feeAsset, feeAtoms)}`;
  return `${amountText(engine, asset, amountAtoms)} of user ${user}${fee}`;
}
