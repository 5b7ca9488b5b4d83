// A trade from the view of one of its two sides.

import { type Static, Type } from 'typebox';
import { SIDES } from '../../../core/messages/index.ts';
import { Decimal, oneOf, StringOrNull, Timestamp } from '../../../protocol/wire/index.ts';

export const UserTrade = Type.Object(
  {
    side: oneOf(SIDES),
    symbol: Type.String(),
    size: Decimal,
    price: Decimal,
    timestamp: Timestamp,
    order_id: StringOrNull,
    fee: Decimal,
    fee_coin: Type.String(),
    quick: Type.Optional(Type.Boolean({ description: 'Made by executing a quote.' })),
  },
  { title: 'UserTrade' },
);
export type UserTrade = Static<typeof UserTrade>;
