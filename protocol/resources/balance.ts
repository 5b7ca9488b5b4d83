// What a user has: for each coin its total and what may be used, flat, with names made from the
// coin: `btc_balance`, `btc_available`.

import { Type } from 'typebox';
import type { WireDecimal } from '../wire-types.ts';

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
