// The call auction of a market: the price at which it would uncross now. Public.

import { type Static, Type } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  Decimal,
  DecimalOrNull,
  oneOf,
  Timestamp,
  TimestampOrNull,
} from '../../../protocol/wire/index.ts';

export const Auction = Type.Object(
  {
    status: oneOf(MARKET_STATUSES, 'The status of the market. `auction` collects orders.'),
    price: DecimalOrNull,
    volume: Decimal,
    imbalance: Decimal,
    ends_at: TimestampOrNull,
    timestamp: Timestamp,
  },
  { title: 'Auction' },
);
export type Auction = Static<typeof Auction>;
