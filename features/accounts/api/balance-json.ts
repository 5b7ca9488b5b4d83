// Encodes balances, for REST responses and stream messages: total and available amount per coin.

import type { ListedAsset } from '../../../core/market-data/index.ts';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { timeText } from '../../../protocol/wire/index.ts';

export interface AccountNow {
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

/** Object members: `"btc_balance":2,"btc_available":1.5,"updated_at":"…"`. */
export function balanceFields(
  accounts: Iterable<readonly [asset: ListedAsset, account: AccountNow]>,
  updatedMs: number,
): string {
  let fields = '';
  for (const [{ scale, symbol }, { availableAtoms, heldAtoms }] of accounts) {
    const totalAtoms = (availableAtoms + heldAtoms) as Atoms;
    fields += `"${symbol}_balance":${decimalFromAtoms(totalAtoms, scale)},`;
    fields += `"${symbol}_available":${decimalFromAtoms(availableAtoms as Atoms, scale)},`;
  }
  return `${fields}"updated_at":"${timeText(updatedMs)}"`;
}
