// A pair: a market in the log with the operator's description.

import type { Static } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  Decimal,
  DecimalOrNull,
  field,
  oneOf,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const pairFields = {
  id: Type.Integer(),
  name: Type.String(),
  code: Type.String(),
  pair_base: Type.String(),
  pair_2: Type.String(),
  min_size: Decimal,
  max_size: Decimal,
  increment_size: Decimal,
  min_price: Decimal,
  max_price: Decimal,
  increment_price: Decimal,
  active: Type.Boolean(),
  verified: Type.Boolean(),
  is_public: Type.Boolean(),
  status: oneOf(MARKET_STATUSES, 'The market status. Orders can always be canceled.'),
  auction_ends_at: field(
    TimestampOrNull,
    'When the auction ends automatically; null if no time is set.',
  ),
  estimated_price: DecimalOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: Type.Integer(),
};

export const Pair = Type.Object(
  { ...pairFields, code: field(pairFields.code, 'The symbol of the market.', 'btc-usdt') },
  { title: 'Pair' },
);
export type Pair = Static<typeof Pair>;
