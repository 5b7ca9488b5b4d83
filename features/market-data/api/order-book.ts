// The order book: at most 10 levels of each side, best first. Public.

import { type Static, Type } from 'typebox';
import { Timestamp, type WireDecimal } from '../../../protocol/wire/index.ts';

const Level = Type.Unsafe<[price: WireDecimal, size: WireDecimal]>({
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'Price, size.',
});

export const OrderBook = Type.Object(
  {
    bids: Type.Array(Level, { maxItems: 10 }),
    asks: Type.Array(Level, { maxItems: 10 }),
    timestamp: Timestamp,
  },
  { title: 'OrderBook' },
);
export type OrderBook = Static<typeof OrderBook>;
