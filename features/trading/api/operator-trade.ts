// A trade with both sides, as operators read it.

import { type Static, Type } from 'typebox';
import { SIDES } from '../../../core/messages/index.ts';
import { Decimal, oneOf, StringOrNull, Timestamp } from '../../../protocol/wire/index.ts';

export const NetworkId = Type.Integer({ description: 'Equal to the id of the user.' });

const OrderIdOrNull = Type.Unsafe<string | null>({
  ...StringOrNull,
  description: 'Null for a trade that did not pass the book.',
});

export const OperatorTrade = Type.Object(
  {
    side: oneOf(SIDES, 'Of the taker.'),
    symbol: Type.String(),
    size: Decimal,
    price: Decimal,
    timestamp: Timestamp,
    maker_order_id: OrderIdOrNull,
    taker_order_id: OrderIdOrNull,
    maker_fee: Decimal,
    taker_fee: Decimal,
    maker_fee_coin: Type.String(),
    taker_fee_coin: Type.String(),
    quick: Type.Boolean({ description: 'Whether it was a conversion at a quoted price.' }),
    maker_id: Type.Integer(),
    taker_id: Type.Integer(),
    maker_network_id: NetworkId,
    taker_network_id: NetworkId,
  },
  { title: 'OperatorTrade' },
);
export type OperatorTrade = Static<typeof OperatorTrade>;
