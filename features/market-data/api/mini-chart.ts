// A point of a mini chart. The price is a text. Public.

import { type Static, Type } from 'typebox';
import { field, Timestamp } from '../../../protocol/wire/index.ts';

export const MiniChartPoint = Type.Object(
  {
    time: Timestamp,
    price: field(Type.String(), 'The price at that time, as a text.', '51234.5'),
    symbol: Type.String(),
    quote: Type.String(),
  },
  { title: 'MiniChartPoint' },
);
export type MiniChartPoint = Static<typeof MiniChartPoint>;
