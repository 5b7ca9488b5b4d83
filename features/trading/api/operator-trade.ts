// A trade with both sides, for operators.

import type { Static } from 'typebox';
import { SIDES } from '../../../core/messages/index.ts';
import {
  Decimal,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

export const NetworkId = Type.Integer({ description: "Equal to the user's id." });

const OrderIdOrNull = Type.Unsafe<string | null>({
  ...StringOrNull,
  description: 'Null for a trade outside the book.',
});

export const OperatorTrade = Type.Object(
  {
    side: oneOf(SIDES, "The taker's side."),
    symbol: Type.String(),
    size: Decimal,
    price: Decimal,
    timestamp: Timestamp,
    maker_order_id: sample(OrderIdOrNull, '00000000-0003-81e8-8000-000000000000'),
    taker_order_id: sample(OrderIdOrNull, '00000000-0003-81e8-8000-000000000000'),
    maker_fee: Decimal,
    taker_fee: Decimal,
    maker_fee_coin: field(Type.String(), "The currency of the maker's fee.", 'usdt'),
    taker_fee_coin: field(Type.String(), "The currency of the taker's fee.", 'btc'),
    quick: Type.Boolean({ description: 'Whether it was a conversion at a quoted price.' }),
    maker_id: Type.Integer(),
    taker_id: Type.Integer(),
    maker_network_id: sample(NetworkId, 7),
    taker_network_id: sample(NetworkId, 8),
  },
  { title: 'OperatorTrade' },
);
export type OperatorTrade = Static<typeof OperatorTrade>;
