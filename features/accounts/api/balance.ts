// A user's balances: total and available amount per coin, as flat fields named after the coin:
// `btc_balance`, `btc_available`.

import type { ListedAsset } from '../../../core/market-data/index.ts';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { Type, timeText, type WireDecimal } from '../../../protocol/wire/index.ts';

export interface Balance {
  user_id: number;
  updated_at: string;
  [coinBalanceOrAvailable: string]: WireDecimal | number | string;
}

export const Balance = Type.Unsafe<Balance>({
  title: 'Balance',
  type: 'object',
  properties: {
    user_id: { type: 'integer' },
    updated_at: { type: 'string', format: 'date-time' },
  },
  required: ['user_id', 'updated_at'],
  patternProperties: { '^[a-z0-9]+_(?:balance|available)$': { type: 'number' } },
});

export interface AccountNow {
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

/**
 * Object members for REST responses and stream messages:
 * `"btc_balance":2,"btc_available":1.5,"updated_at":"…"`.
 */
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
