// Constants: every coin and pair, and the conversions on offer. Public.

import type { Static } from 'typebox';
import { Decimal, DecimalOrNull, field, mapOf, oneOf, Type } from '../../../protocol/wire/index.ts';
import { Coin } from './coin.ts';
import { Pair } from './pair.ts';

export const QuickTradePair = Type.Object(
  { symbol: Type.String(), type: Type.String(), active: Type.Boolean() },
  { title: 'QuickTradePair' },
);
export type QuickTradePair = Static<typeof QuickTradePair>;

/** 0 for unlimited, -1 for disabled. */
export const TransactionLimit = Type.Object(
  {
    id: Type.Integer(),
    tier: Type.Integer(),
    type: oneOf(['withdrawal', 'deposit']),
    currency: Type.String(),
    limit_currency: Type.String({ description: '`default` applies to all coins without a row.' }),
    amount: Decimal,
    monthly_amount: DecimalOrNull,
  },
  { title: 'TransactionLimit' },
);
export type TransactionLimit = Static<typeof TransactionLimit>;

export const Constants = Type.Object(
  {
    coins: mapOf(Coin),
    pairs: mapOf(Pair),
    broker: field(Type.Array(Type.Unknown()), 'Always empty: kept for clients that expect it.', []),
    quicktrade: field(Type.Array(QuickTradePair), 'Markets that offer conversions.'),
    transactionLimits: field(
      Type.Array(TransactionLimit),
      'Deposit and withdrawal limits by tier.',
    ),
    networkQuickTrades: field(
      Type.Array(Type.Unknown()),
      'Always empty: kept for clients that expect it.',
      [],
    ),
    network: field(
      Type.String(),
      'The name of the exchange, for clients that expect it.',
      'Rialto',
    ),
    demo: field(
      Type.Optional(Type.Literal(true)),
      'Only on a demo exchange: trades are simulated and the money is not real.',
    ),
  },
  { title: 'Constants' },
);
export type Constants = Static<typeof Constants>;
