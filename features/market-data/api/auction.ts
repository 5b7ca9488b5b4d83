// The call auction of a market: the price at which it would uncross now. Public.

import { type Static, Type } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  Decimal,
  DecimalOrNull,
  field,
  oneOf,
  Timestamp,
  TimestampOrNull,
} from '../../../protocol/wire/index.ts';

export const Auction = Type.Object(
  {
    status: oneOf(MARKET_STATUSES, 'The status of the market. `auction` collects orders.'),
    price: field(
      DecimalOrNull,
      'The price at which the auction would trade now; null for none.',
      51234.5,
    ),
    volume: field(Decimal, 'How much would trade at this price.', 12.5),
    imbalance: field(
      Decimal,
      'How much more would buy than sell at this price; negative if less.',
      -0.75,
    ),
    ends_at: field(
      TimestampOrNull,
      'When the auction ends by itself; null if an operator ends it.',
    ),
    timestamp: Timestamp,
  },
  { title: 'Auction' },
);
export type Auction = Static<typeof Auction>;
