// A point of a mini chart. The price is a text. Public.

import { type Static, Type } from 'typebox';
import { Timestamp } from '../../../protocol/wire/index.ts';

export const MiniChartPoint = Type.Object(
  { time: Timestamp, price: Type.String(), symbol: Type.String(), quote: Type.String() },
  { title: 'MiniChartPoint' },
);
export type MiniChartPoint = Static<typeof MiniChartPoint>;
