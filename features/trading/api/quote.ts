// A quote of a conversion. Only authenticated callers get a token and an expiry.

import { type Static, Type } from 'typebox';
import { Decimal, field, sample, Timestamp } from '../../../protocol/wire/index.ts';

export const Quote = Type.Object(
  {
    spending_currency: Type.String(),
    receiving_currency: Type.String(),
    spending_amount: Decimal,
    receiving_amount: Decimal,
    fees_included: Type.Boolean({
      description: 'False: the fee is deducted from the received amount, and is on the order.',
    }),
    type: Type.String({ description: '`market`: from the order book of this exchange.' }),
    token: sample(
      Type.Optional(Type.String({ description: 'Executes the quote, once, by its user.' })),
      'eyJhbGciOiJkaXIi',
    ),
    expiry: field(
      Type.Optional(Timestamp),
      'Until when the token executes the quote.',
      '2026-01-05T10:00:30.000Z',
    ),
  },
  { title: 'Quote' },
);
export type Quote = Static<typeof Quote>;
