// A user's balances: total and available amount of each coin, as flat fields named after the coin:
// `btc_balance`, `btc_available`.

import { Type } from 'typebox';
import type { WireDecimal } from '../../../protocol/wire/index.ts';

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
