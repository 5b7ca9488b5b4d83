// Effect of other trading fees on the trades of the last 30 closed days.

import type { Static } from 'typebox';
import { Decimal, field, mapOf, StringOrNull, sample, Type } from '../../../protocol/wire/index.ts';

const Amounts = mapOf(Decimal);

const Value = Type.Object(
  { collected: Decimal, proposed: Decimal, difference: Decimal },
  { title: 'FeeEffectValue' },
);

const ValueOrNull = Type.Unsafe<Static<typeof Value> | null>({
  anyOf: [Value, { type: 'null' }],
  description: 'In `currency` at current prices; null if a price is missing.',
});

const FeeEffect = Type.Object(
  {
    symbol: Type.String(),
    tier: Type.Integer(),
    volume: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description:
        'In the quote currency. A trade between two users of the tier counts once for each of ' +
        'them.',
    }),
    fills: field(Type.Integer(), 'Number of fills.', 812),
    users: Type.Integer({ description: 'Users of the tier who traded the pair.' }),
    users_with_own_fees: sample(
      Type.Integer({
        description: 'Users among these with their own discount, which still applies.',
      }),
      3,
    ),
    collected: Type.Unsafe<Static<typeof Amounts>>({
      ...Amounts,
      description: 'By currency. Buyers pay in the base currency, sellers in the quote currency.',
    }),
    proposed: Type.Unsafe<Static<typeof Amounts>>({
      ...Amounts,
      description: 'Too low by less than the smallest unit of the currency per fill.',
    }),
    difference: Amounts,
    value: ValueOrNull,
  },
  { title: 'FeeEffect' },
);

const DayOrNull = Type.Unsafe<Static<typeof StringOrNull>>({
  ...StringOrNull,
  description: 'A day in UTC; null before the first day is closed.',
});

export const FeeEffects = Type.Object(
  {
    from: DayOrNull,
    to: DayOrNull,
    currency: Type.String({ description: 'The currency of the thresholds.' }),
    effects: field(Type.Array(FeeEffect), 'The effect, by market and tier.'),
    total: ValueOrNull,
  },
  { title: 'FeeEffects' },
);
export type FeeEffects = Static<typeof FeeEffects>;
