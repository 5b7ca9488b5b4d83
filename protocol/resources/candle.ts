// A candle of a chart. Public.

import { type Static, Type } from 'typebox';
import { Decimal, Timestamp } from '../wire-types.ts';

export const Candle = Type.Object(
  {
    time: Timestamp,
    open: Decimal,
    high: Decimal,
    low: Decimal,
    close: Decimal,
    volume: Decimal,
    symbol: Type.String(),
  },
  { title: 'Candle' },
);
export type Candle = Static<typeof Candle>;
