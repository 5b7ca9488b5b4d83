// Orders in requests and responses. Extensions to the interface known by existing clients (client
// order ID, time in force, self-trade prevention) are optional.

import type { Static } from 'typebox';
import {
  CLOSE_REASONS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGERS,
} from '../../../core/messages/index.ts';
import {
  Decimal,
  DecimalIn,
  DecimalOrNull,
  DecimalOrNullIn,
  field,
  oneOf,
  SymbolIn,
  sample,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

export const ORDER_STATUSES = ['new', 'pfilled', 'filled', 'canceled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Stored with the order and never interpreted. */
export const NOTE_LENGTH_MAX = 256;

export const ClientOrderIdIn = Type.String({
  minLength: 1,
  maxLength: 36,
  pattern: '^[\\x20-\\x7e]+$',
  description:
    'Your own ID for the order, printable ASCII. Sending the same order again returns ' +
    'the first one; a different order is rejected.',
});

export const OrderIdIn = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The UUID of the order.',
});

const orderFields = {
  id: sample(Type.String({ description: 'A UUID.' }), '00000000-0003-81e8-8000-000000000000'),
  side: oneOf(SIDES),
  symbol: Type.String(),
  type: oneOf(ORDER_TYPES),
  size: Decimal,
  price: field(DecimalOrNull, 'The limit price; 0 for a market order.', 51234.5),
  stop: field(DecimalOrNull, 'The price that triggers the order; null for none.', 52000),
  filled: field(Decimal, 'The filled size.', 0.1),
  average: field(Decimal, 'The average fill price; 0 before the first fill.', 51230.25),
  fee: Decimal,
  fee_coin: Type.String(),
  status: oneOf(ORDER_STATUSES),
  meta: Type.Object({
    post_only: Type.Optional(Type.Boolean()),
    note: Type.Optional(Type.String()),
  }),
  fee_structure: Type.Object(
    { maker: Decimal, taker: Decimal },
    { description: 'Percent, at the time of placement.' },
  ),
  client_order_id: Type.Optional(Type.String()),
  trigger: Type.Optional(
    oneOf(TRIGGERS, '`take_profit` for a take-profit. Left out for any other order.'),
  ),
  expires_at: Type.Optional(field(Timestamp, 'When the order closes if it is still open.')),
  linked_order_id: Type.Optional(
    sample(
      Type.String({ description: 'The order that this one was linked to when it was placed.' }),
      '00000000-0003-81e9-8000-000000000000',
    ),
  ),
  time_in_force: Type.Optional(oneOf(TIMES_IN_FORCE)),
  self_trade_prevention: Type.Optional(
    oneOf(SELF_TRADE_MODES, 'Left out for the default, `cancel_newest`.'),
  ),
  close_reason: Type.Optional(oneOf(CLOSE_REASONS, 'Why the order closed.')),
  method: Type.Optional(Type.String({ description: '`market` for a market order.' })),
  created_by: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Order = Type.Object(
  {
    ...orderFields,
    type: field(orderFields.type, 'Whether the order has a limit.'),
    status: field(
      orderFields.status,
      '`new` rests without a fill, `pfilled` is partly filled, `filled` and `canceled` are ' +
        'closed.',
    ),
    meta: field(orderFields.meta, 'Order terms that the API keeps in a separate object.'),
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;

/** Columns that a file always has, even if its first order lacks the field. */
export const OPTIONAL_ORDER_FIELDS: readonly string[] = Object.keys(orderFields).filter(
  (name) => !Order.required.includes(name as never),
);

/** Response to a change of an order. */
export const KnownOrder = Type.Partial(Type.Object(orderFields), {
  title: 'KnownOrder',
  description:
    'An order with all its fields. Only while the tables of the exchange are unreachable, ' +
    '' +
    'uncertain fields are left out; the request still took effect.',
});
export type KnownOrder = Static<typeof KnownOrder>;

/** Orders in lists name their user. */
export const OrderInList = Type.Object(
  {
    ...orderFields,
    User: Type.Object({
      id: field(Type.Integer(), 'The user ID.', 7),
      email: Type.String(),
      username: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      exchange_id: Type.Integer(),
    }),
  },
  { title: 'OrderInList' },
);
export type OrderInList = Static<typeof OrderInList>;

/**
 * Unknown keys are ignored, but misspelled and misplaced ones and those that would change execution
 * are rejected (`refusedKeys`). For example, if `postOnly` were ignored, the order would trade.
 */
export const OrderIn = Type.Object(
  {
    symbol: SymbolIn,
    side: oneOf(SIDES),
    size: DecimalIn,
    type: field(
      oneOf(ORDER_TYPES),
      'A limit order trades at its price or better and can rest in the book. A market order ' +
        'trades immediately, within the slippage cap of the market, and never rests.',
    ),
    price: field(
      Type.Optional(DecimalOrNullIn),
      "The worst price at which a limit order trades, a multiple of the pair's " +
        '`increment_price`. Required for a limit order, ignored for a market order.',
      51234.5,
    ),
    stop: field(
      Type.Optional(DecimalOrNullIn),
      'The price that triggers the order. Until a trade reaches it, the order waits outside of ' +
        'the book.',
      52000,
    ),
    trigger: Type.Optional(
      oneOf(
        TRIGGERS,
        'The side of the market price on which `stop` is. `stop` (the default): above it for a ' +
          'buy, below it for a sell. `take_profit`: below it for a buy, above it for a sell.',
      ),
    ),
    expires_at: Type.Optional(
      sample(
        Type.String({
          minLength: 10,
          maxLength: 40,
          description:
            'When an order that can rest or wait closes automatically, at most 366 days ahead. ' +
            'Default: never.',
        }),
        '2030-01-31T12:00:00.000Z',
      ),
    ),
    linked_order_id: Type.Optional(
      sample(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'Your open order that this stop or take-profit is linked to (OCO): the first of the ' +
            'two that trades or closes cancels the other. Same symbol, side and size.',
        }),
        '00000000-0003-81e9-8000-000000000000',
      ),
    ),
    meta: field(
      Type.Optional(
        Type.Object({
          post_only: Type.Optional(
            Type.Boolean({ description: 'Reject the order if any part would trade immediately.' }),
          ),
          note: Type.Optional(Type.String({ maxLength: NOTE_LENGTH_MAX })),
        }),
      ),
      '`post_only` and your own note. Other keys are ignored.',
    ),
    client_order_id: Type.Optional(ClientOrderIdIn),
    time_in_force: Type.Optional(
      oneOf(TIMES_IN_FORCE, 'Default: GTC for limit, IOC for market orders.'),
    ),
    self_trade_prevention: Type.Optional(
      oneOf(SELF_TRADE_MODES, 'Rule for an order that would trade with another order of yours.'),
    ),
  },
  {
    title: 'OrderIn',
    description:
      'The price is required for a limit order and ignored for a market order. Unknown keys are ' +
      'ignored, except those that would change what the order does: a known key that is ' +
      'misspelled or in the wrong place (`postOnly`, `post_only` outside of `meta`), and terms ' +
      'that the exchange does not support (`reduce_only`, `leverage`, `iceberg` and the like) ' +
      'are rejected by name.',
  },
);
export type OrderIn = Static<typeof OrderIn>;

export const orderExample = {
  id: '00000000-0003-81e8-8000-000000000000',
  side: 'buy',
  symbol: 'btc-usdt',
  type: 'limit',
  size: 0.25,
  price: 51234.5,
  stop: null,
  filled: 0,
  average: 0,
  fee: 0,
  fee_coin: 'btc',
  status: 'new',
  meta: { post_only: true },
  fee_structure: { maker: 0.1, taker: 0.2 },
  client_order_id: 'mm-1-000184467',
  created_by: 7,
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
};
export const canceledOrderExample = {
  ...orderExample,
  status: 'canceled',
  close_reason: 'canceled_by_user',
};
export const orderInExample = {
  symbol: 'btc-usdt',
  side: 'buy',
  size: 0.25,
  type: 'limit',
  price: 51234.5,
  meta: { post_only: true },
  client_order_id: 'mm-1-000184467',
};
