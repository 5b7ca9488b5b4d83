// An order as its user sees it, and as it is asked for. What goes beyond the interface that
// existing clients know (client order id, time in force, self-trade prevention) is optional.

import { type Static, Type } from 'typebox';
import {
  CLOSE_REASONS,
  ORDER_TYPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../core/messages/index.ts';
import {
  Decimal,
  DecimalIn,
  DecimalOrNull,
  DecimalOrNullIn,
  oneOf,
  SymbolIn,
  Timestamp,
} from '../wire-types.ts';

export const ORDER_STATUSES = ['new', 'pfilled', 'filled', 'canceled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** A note is carried with the order and never read by the exchange. */
export const NOTE_LENGTH_MAX = 256;

export const ClientOrderIdIn = Type.String({
  minLength: 1,
  maxLength: 36,
  pattern: '^[\\x20-\\x7e]+$',
  description:
    'A name of your own, printable ASCII. The same order sent again under it is answered with ' +
    'the first; a different one is refused.',
});

export const OrderIdIn = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The UUID under which the order was answered.',
});

export const Order = Type.Object(
  {
    id: Type.String({ description: 'A UUID.' }),
    side: oneOf(SIDES),
    symbol: Type.String(),
    type: oneOf(ORDER_TYPES),
    size: Decimal,
    price: DecimalOrNull,
    stop: DecimalOrNull,
    filled: Decimal,
    average: Decimal,
    fee: Decimal,
    fee_coin: Type.String(),
    status: oneOf(ORDER_STATUSES),
    meta: Type.Object({
      post_only: Type.Optional(Type.Boolean()),
      note: Type.Optional(Type.String()),
    }),
    fee_structure: Type.Object(
      { maker: Decimal, taker: Decimal },
      { description: 'In percent, as they were when the order was placed.' },
    ),
    client_order_id: Type.Optional(Type.String()),
    time_in_force: Type.Optional(oneOf(TIMES_IN_FORCE)),
    self_trade_prevention: Type.Optional(oneOf(SELF_TRADE_MODES)),
    close_reason: Type.Optional(oneOf(CLOSE_REASONS, 'Why it is no longer open.')),
    method: Type.Optional(Type.String({ description: '`market` for what was taken at once.' })),
    created_by: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Order' },
);
export type Order = Static<typeof Order>;

/** The answer to a change of an order. */
export const KnownOrder = Type.Partial(Order, {
  title: 'KnownOrder',
  description:
    'An order with all its fields. Only while the tables of the exchange are away, those that ' +
    'are not certain are left out; what was asked for has happened all the same.',
});
export type KnownOrder = Static<typeof KnownOrder>;

/** In lists an order also says whose it is. */
export const OrderInList = Type.Object(
  {
    ...Order.properties,
    User: Type.Object({
      id: Type.Integer(),
      email: Type.String(),
      username: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      exchange_id: Type.Integer(),
    }),
  },
  { title: 'OrderInList' },
);
export type OrderInList = Static<typeof OrderInList>;

/**
 * Unknown keys are ignored, but one that differs from a known key only by case or underscores is
 * refused (`misspeltKeys`): an order whose `postOnly` was overlooked would trade.
 */
export const OrderIn = Type.Object(
  {
    symbol: SymbolIn,
    side: oneOf(SIDES),
    size: DecimalIn,
    type: oneOf(ORDER_TYPES),
    price: Type.Optional(DecimalOrNullIn),
    stop: Type.Optional(DecimalOrNullIn),
    meta: Type.Optional(
      Type.Object({
        post_only: Type.Optional(
          Type.Boolean({ description: 'Refused if any part would trade at once.' }),
        ),
        note: Type.Optional(Type.String({ maxLength: NOTE_LENGTH_MAX })),
      }),
    ),
    client_order_id: Type.Optional(ClientOrderIdIn),
    time_in_force: Type.Optional(
      oneOf(TIMES_IN_FORCE, 'GTC for limit, IOC for market orders unless said otherwise.'),
    ),
    self_trade_prevention: Type.Optional(
      oneOf(SELF_TRADE_MODES, 'What happens when the order meets one of your own.'),
    ),
  },
  {
    title: 'OrderIn',
    description:
      'Price is needed for a limit order and ignored for a market order. Unknown keys are ' +
      'ignored, except those that differ from a known one only by case or underscores: these ' +
      'are refused, since a misspelt `post_only` would trade.',
  },
);
export type OrderIn = Static<typeof OrderIn>;
