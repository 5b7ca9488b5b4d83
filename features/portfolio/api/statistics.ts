// A user's statistics: traded volume by month and by range, closing balances, profit and loss.

import { type Static, Type } from 'typebox';
import { Decimal, DecimalOrNull, mapOf, Timestamp } from '../../../protocol/wire/index.ts';

export const TradedVolume = Type.Object(
  {
    volume: Decimal,
    buy_volume: Decimal,
    sell_volume: Decimal,
    quote_volume: Decimal,
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
      description: 'By year, month (1 to 12, UTC) and pair.',
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
    volume: { ...Decimal, description: 'The value of all volume at present prices.' },
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
    total: { ...Decimal, description: 'The value of all coins that have a price.' },
    currency: Type.String(),
    balance: mapOf(
      Type.Object({
        original_value: Decimal,
        native_currency_value: { ...DecimalOrNull, description: 'Null without a price.' },
      }),
    ),
    created_at: { ...Timestamp, description: 'The end of the day, in UTC.' },
  },
  { title: 'BalanceOfDay' },
);
export type BalanceOfDay = Static<typeof BalanceOfDay>;

export const ProfitOfCoin = Type.Object({
  cumulativePNL: Decimal,
  cumulativePNLPercentage: Decimal,
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
  description: 'By period: `7d`, `30d`, `90d`; each has a total and one entry for each coin.',
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
