// A quote of a conversion. Token and expiry are there only for somebody who said who it is.

import { type Static, Type } from 'typebox';
import { Decimal, Timestamp } from '../wire-types.ts';

export const Quote = Type.Object(
  {
    spending_currency: Type.String(),
    receiving_currency: Type.String(),
    spending_amount: Decimal,
    receiving_amount: Decimal,
    fees_included: Type.Boolean({
      description: 'False: the fee is taken from what is received, and stands on the order.',
    }),
    type: Type.String({ description: '`market`: from the order book of this exchange.' }),
    token: Type.Optional(Type.String({ description: 'Executes the quote, once, by its user.' })),
    expiry: Type.Optional(Timestamp),
  },
  { title: 'Quote' },
);
export type Quote = Static<typeof Quote>;
