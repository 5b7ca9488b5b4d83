// Conversion at a quoted price: request a quote, then execute it before it expires.

import { Type } from 'typebox';
import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  field,
  NO_QUERY,
  WEIGHT_LIGHT,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { KnownOrder, orderExample } from './order.ts';
import { Quote } from './quote.ts';

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
      'counts once.',
    tag: 'quick trade',
    permission: { who: 'user', scope: 'can_trade', sessions: true },
    effect: 'write',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    body: Type.Object(
      {
        token: field(
          Type.String({ minLength: 1, maxLength: 512 }),
          'The token of the quote.',
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
