// A tier: the fees of users of one level, in percent by pair. Public.

import { type Static, Type } from 'typebox';
import { Decimal, mapOf, Timestamp } from '../../../protocol/wire/index.ts';

export const Tier = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    icon: Type.String(),
    description: Type.String(),
    note: Type.String(),
    deposit_limit: Decimal,
    withdrawal_limit: Decimal,
    native_currency_limit: Type.Boolean(),
    fees: Type.Object({ maker: mapOf(Decimal), taker: mapOf(Decimal) }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Tier' },
);
export type Tier = Static<typeof Tier>;
