// A user's statistics: traded volume by month and by range, closing balances, profit and loss.

import type { Static } from 'typebox';
import {
  Decimal,
  DecimalOrNull,
  field,
  mapOf,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

export const TradedVolume = Type.Object(
  {
    volume: Decimal,
    buy_volume: field(Decimal, 'The amount bought.', 6.5),
    sell_volume: field(Decimal, 'The amount sold.', 6),
    quote_volume: field(Decimal, 'The traded amount in the quote currency.', 640000),
    trades: Type.Integer(),
  },
  { title: 'TradedVolume' },
);
export type TradedVolume = Static<typeof TradedVolume>;

export const UserStats = Type.Object(
  {
    user_id: Type.Integer(),
    data: Type.Unsafe<Record<string, Record<string, Record<string, TradedVolume>>>>({
      ...mapOf(mapOf(mapOf(TradedVolume))),
      description: 'By year, month (1–12, UTC) and pair.',
    }),
    updated_at: Timestamp,
  },
  { title: 'UserStats' },
);
export type UserStats = Static<typeof UserStats>;

export const TradingVolume = Type.Object(
  {
    user_id: Type.Integer(),
    from: Timestamp,
    to: Timestamp,
    currency: Type.String(),
    volume: { ...Decimal, description: 'Value of the entire volume at current prices.' },
    data: mapOf(
      Type.Object({
        volume: Decimal,
        native_currency_value: DecimalOrNull,
        trades: Type.Integer(),
      }),
    ),
  },
  { title: 'TradingVolume' },
);
export type TradingVolume = Static<typeof TradingVolume>;

export const BalanceOfDay = Type.Object(
  {
    user_id: Type.Integer(),
    total: { ...Decimal, description: 'The value of all coins with a price.' },
    currency: Type.String(),
    balance: mapOf(
      Type.Object({
        original_value: field(Decimal, 'The balance at the end of the day.', 1.5),
        native_currency_value: { ...DecimalOrNull, description: 'Null without a price.' },
      }),
    ),
    created_at: { ...Timestamp, description: 'The end of the day in UTC.' },
  },
  { title: 'BalanceOfDay' },
);
export type BalanceOfDay = Static<typeof BalanceOfDay>;

export const ProfitOfCoin = Type.Object({
  cumulativePNL: field(Decimal, 'The profit since the start of the period.', 310.5),
  cumulativePNLPercentage: field(
    Decimal,
    'The profit since the start of the period, in percent.',
    4.2,
  ),
});

/** By period: `7d`, `30d`, `90d`. */
export interface ProfitOfPeriod {
  total: Static<typeof Decimal>;
  totalPercentage: Static<typeof Decimal>;
  currency: string;
  [coin: string]: Static<typeof Decimal> | Static<typeof ProfitOfCoin> | string;
}

export const ProfitAndLoss = Type.Unsafe<Record<string, ProfitOfPeriod>>({
  title: 'ProfitAndLoss',
  type: 'object',
  description: 'By period (`7d`, `30d`, `90d`), each with a total and one entry per coin.',
  additionalProperties: {
    type: 'object',
    properties: {
      total: { type: 'number' },
      totalPercentage: { type: 'number' },
      currency: { type: 'string' },
    },
    required: ['total', 'totalPercentage', 'currency'],
    additionalProperties: ProfitOfCoin,
  },
});
export type ProfitAndLoss = Record<string, ProfitOfPeriod>;
