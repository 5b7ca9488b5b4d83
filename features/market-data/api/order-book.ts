// The order book: at most 10 levels of each side, best first. Public.

import { type Static, Type } from 'typebox';
import { field, Timestamp, type WireDecimal } from '../../../protocol/wire/index.ts';

const Level = Type.Unsafe<[price: WireDecimal, size: WireDecimal]>({
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'Price, size.',
});

export const OrderBook = Type.Object(
  {
    bids: field(
      Type.Array(Level, { maxItems: 10 }),
      'Buy orders by price, the best first: pairs of price and size.',
      [[51234, 0.5]],
    ),
    asks: field(
      Type.Array(Level, { maxItems: 10 }),
      'Sell orders by price, the best first: pairs of price and size.',
      [[51234.5, 1.25]],
    ),
    timestamp: Timestamp,
  },
  { title: 'OrderBook' },
);
export type OrderBook = Static<typeof OrderBook>;
