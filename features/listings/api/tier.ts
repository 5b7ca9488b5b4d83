// A tier: the fees of users of one level, in percent by pair. Public.

import { type Static, Type } from 'typebox';
import { Decimal, field, mapOf, Timestamp } from '../../../protocol/wire/index.ts';

export const Tier = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    icon: Type.String(),
    description: Type.String(),
    note: field(Type.String(), 'A text of the operator about the tier.', 'Verified people'),
    deposit_limit: field(
      Decimal,
      'Deposits of a day, in the native currency; 0 without a limit.',
      0,
    ),
    withdrawal_limit: field(Decimal, 'Withdrawals of a day, in the native currency.', 10000),
    native_currency_limit: Type.Boolean(),
    fees: field(
      Type.Object({
        maker: field(mapOf(Decimal), 'The rates of makers in percent, by market.'),
        taker: field(mapOf(Decimal), 'The rates of takers in percent, by market.'),
      }),
      'The rates of the tier.',
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Tier' },
);
export type Tier = Static<typeof Tier>;
