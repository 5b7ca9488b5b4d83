// Conversion at a quoted price: request a quote, then execute it before it expires.

import type { Static } from 'typebox';
import {
  CurrencyIn,
  Decimal,
  DecimalIn,
  defineRoute,
  field,
  NO_QUERY,
  sample,
  Timestamp,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { KnownOrder, orderExample } from './order.ts';

/** Only authenticated callers get a token and an expiry. */
export const Quote = Type.Object(
  {
    spending_currency: Type.String(),
    receiving_currency: Type.String(),
    spending_amount: Decimal,
    receiving_amount: Decimal,
    fees_included: Type.Boolean({
      description: 'False: the fee is deducted from the received amount and shown on the order.',
    }),
    type: Type.String({ description: '`market`: from the order book of this exchange.' }),
    token: sample(
      Type.Optional(Type.String({ description: 'Executes the quote once, for its user only.' })),
      'eyJhbGciOiJkaXIi',
    ),
    expiry: field(Type.Optional(Timestamp), 'When the token expires.', '2026-01-05T10:00:30.000Z'),
  },
  { title: 'Quote' },
);
export type Quote = Static<typeof Quote>;

export const quoteRoutes = {
  getQuote: defineRoute({
    method: 'GET',
    path: '/v2/quick-trade',
    summary: 'Quote a conversion; authenticated callers also get an execution token',
    description: 'The amounts are binding for 30 seconds and before fees.',
    tag: 'quick trade',
    permission: { who: 'anyone', mayIdentify: true },
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object(
      {
        spending_currency: CurrencyIn,
        receiving_currency: CurrencyIn,
        spending_amount: Type.Optional(DecimalIn),
        receiving_amount: Type.Optional(DecimalIn),
      },
      { description: 'One of the amounts; spending_amount takes precedence.' },
    ),
    status: 200,
    response: Quote,
    example: {
      query: { spending_currency: 'usdt', receiving_currency: 'btc', spending_amount: '1000' },
      response: {
        spending_currency: 'usdt',
        receiving_currency: 'btc',
        spending_amount: 1000,
        receiving_amount: 0.0195,
        fees_included: false,
        type: 'market',
        token: 'eyJhbGciOiJkaXIi',
        expiry: '2026-01-05T10:00:30.000Z',
      },
    },
  }),
  executeQuote: defineRoute({
    method: 'POST',
    path: '/v2/order/execute',
    summary: 'Execute a quote, at its price or not at all',
    description:
      'Trades the quoted size for the quoted amount or better, completely or not at all. A token ' +
      'works once.',
    tag: 'quick trade',
    permission: { who: 'user', scope: 'can_trade', sessions: true },
    effect: 'write',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    body: Type.Object(
      {
        token: field(
          Type.String({ minLength: 1, maxLength: 512 }),
          'The token from the quote.',
          'eyJhbGciOiJkaXIi',
        ),
      },
      { title: 'ExecuteQuoteIn' },
    ),
    status: 200,
    response: KnownOrder,
    example: {
      body: { token: 'eyJhbGciOiJkaXIi' },
      response: {
        ...orderExample,
        type: 'market',
        size: 0.0195,
        price: 0,
        filled: 0.0195,
        average: 51234.5,
        meta: {},
        status: 'filled',
        method: 'market',
        time_in_force: 'FOK',
      },
    },
  }),
} as const;
