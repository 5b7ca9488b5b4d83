// Orders: place, amend, cancel and read them. Cancels have their own rate limit.

import type { Static } from 'typebox';
import { SIDES } from '../../../core/messages/index.ts';
import {
  BATCH_ORDERS_MAX,
  BooleanIn,
  DecimalIn,
  defineRoute,
  ErrorBody,
  FormatIn,
  field,
  LONG_BODY_BYTES_MAX,
  listIn,
  listQuery,
  Message,
  NO_QUERY,
  oneOf,
  pagedList,
  SymbolIn,
  sample,
  TimestampOrNull,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  ClientOrderIdIn,
  canceledOrderExample,
  KnownOrder,
  ORDER_STATUSES,
  Order,
  OrderIdIn,
  OrderIn,
  OrderInList,
  orderExample,
  orderInExample,
} from './order.ts';

export const DeadManSwitch = Type.Object(
  {
    armed: field(Type.Boolean(), 'Whether the switch is armed.'),
    fires_at: field(
      TimestampOrNull,
      'When the switch cancels the orders unless it is armed again first. Null if not armed.',
      '2026-01-05T10:01:00.000Z',
    ),
    fired_at: Type.Optional(
      Type.Unsafe<string | null>({ ...TimestampOrNull, description: 'Only in the GET response.' }),
    ),
    orders_canceled: sample(
      Type.Optional(
        Type.Integer({
          description: 'Orders canceled when it last fired. Only in the GET response.',
        }),
      ),
      0,
    ),
  },
  { title: 'DeadManSwitch' },
);
export type DeadManSwitch = Static<typeof DeadManSwitch>;

/** The result of one order of a batch: either `order` or `error`. */
const OrderOutcome = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status that a single request would return.' }),
    order: Type.Optional(KnownOrder),
    error: field(
      Type.Optional(ErrorBody),
      'Why this order was rejected. The others in the batch are not affected.',
    ),
  },
  { title: 'OrderOutcome' },
);

const OrderOutcomes = Type.Object({ data: Type.Array(OrderOutcome) }, { title: 'OrderOutcomes' });

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const mayTrade = { who: 'user', scope: 'can_trade', sessions: true } as const;

/** Exactly one of the two. */
const whichOrder = Type.Object(
  {
    order_id: Type.Optional(OrderIdIn),
    client_order_id: Type.Optional(ClientOrderIdIn),
  },
  {
    minProperties: 1,
    maxProperties: 1,
    description: 'Either `order_id` or `client_order_id`.',
  },
);

export const orderRoutes = {
  getOrders: defineRoute({
    method: 'GET',
    path: '/v2/orders',
    summary: 'Your orders, newest first; `open` selects open or closed ones',
    description:
      'All your orders if there is no filter. Includes every order acknowledged before the ' +
      'request.',
    tag: 'orders',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({
      symbol: Type.Optional(SymbolIn),
      side: Type.Optional(oneOf(SIDES)),
      status: field(Type.Optional(oneOf(ORDER_STATUSES)), 'Only orders in this state.', 'filled'),
      open: field(
        Type.Optional(BooleanIn),
        '`true` for open orders only, `false` for closed orders only.',
      ),
      format: FormatIn,
    }),
    status: 200,
    response: pagedList(OrderInList),
    csv: true,
  }),
  getOrder: defineRoute({
    method: 'GET',
    path: '/v2/order',
    summary: 'One of your orders',
    description:
      'Works for open and closed orders of any age. After a timeout, query the ' +
      '`client_order_id` here.',
    tag: 'orders',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: whichOrder,
    status: 200,
    response: Order,
    example: { query: { order_id: orderExample.id }, response: orderExample },
  }),
  createOrder: defineRoute({
    method: 'POST',
    path: '/v2/order',
    summary: 'Place an order',
    description:
      'Responds once the order is in the log, with its fills if it traded immediately. Identical ' +
      'orders in a row are separate orders; set a `client_order_id` to place an order only once ' +
      'however often you send it. Unsupported terms are rejected by name, never ' +
      'ignored.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'write',
    mayRepeat: true,
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    isOrder: true,
    body: OrderIn,
    status: 200,
    response: KnownOrder,
    example: { body: orderInExample, response: orderExample },
  }),
  testOrder: defineRoute({
    method: 'POST',
    path: '/v2/order/test',
    isRialtoOnly: true,
    summary: 'Check an order without placing it',
    description:
      'The engine runs all checks of `POST /v2/order` on its current state: increments and ' +
      'limits, market status and price band, post-only against the book, liquidity, your balance ' +
      'and your limits. It returns the same error, or that the order would be accepted. Nothing ' +
      'is placed or put on hold, and the client order ID stays unused. A moment later the result ' +
      'might differ.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    isOrder: true,
    body: OrderIn,
    status: 200,
    response: Message,
    example: { body: orderInExample, response: { message: 'The order would be accepted' } },
  }),
  amendOrder: defineRoute({
    method: 'PUT',
    path: '/v2/order',
    isRialtoOnly: true,
    summary: 'Change size, price or stop price; only reducing the size keeps the queue position',
    description:
      'One step: the order never leaves the book in between. A larger size or another price ' +
      'moves it to the end of the queue, and it might trade.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'write',
    mayRepeat: true,
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    isOrder: true,
    body: Type.Object(
      {
        order_id: OrderIdIn,
        size: field(
          Type.Optional(DecimalIn),
          'The new total size, including the filled part.',
          '0.2',
        ),
        price: field(
          Type.Optional(DecimalIn),
          'The new limit price. The order moves to the end of the queue at that price.',
          51000,
        ),
        stop: field(
          Type.Optional(DecimalIn),
          'The new stop price of an order that waits for its trigger.',
          52500,
        ),
      },
      { title: 'AmendOrderIn', description: 'The size is the total, including the filled part.' },
    ),
    status: 200,
    response: KnownOrder,
    example: {
      body: { order_id: orderExample.id, size: '0.2' },
      response: { ...orderExample, size: 0.2 },
    },
  }),
  cancelOrder: defineRoute({
    method: 'DELETE',
    path: '/v2/order',
    summary: 'Cancel an order',
    description:
      'Works in every market status, and while the database is down. An order that is closed or ' +
      'belongs to another user is `Order not found`.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'cancel',
    weight: WEIGHT_LIGHT,
    query: whichOrder,
    status: 200,
    response: KnownOrder,
    example: { query: { order_id: orderExample.id }, response: canceledOrderExample },
  }),
  cancelOrdersOfMarket: defineRoute({
    method: 'DELETE',
    path: '/v2/order/all',
    summary: 'Cancel all your orders in a market',
    description: 'Includes pending stops. The response lists the canceled orders.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'cancel',
    weight: WEIGHT_LIST,
    query: Type.Object({ symbol: SymbolIn }),
    status: 200,
    response: Type.Array(KnownOrder),
    example: { query: { symbol: 'btc-usdt' }, response: [canceledOrderExample] },
  }),
  createOrders: defineRoute({
    method: 'POST',
    path: '/v2/orders',
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    isRialtoOnly: true,
    summary: 'Place several orders; each is accepted or rejected separately',
    description: "Results are in request order. A batch costs the sum of its orders' weights.",
    tag: 'orders',
    permission: mayTrade,
    effect: 'write',
    mayRepeat: true,
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    isOrder: true,
    body: Type.Object(
      { orders: Type.Array(OrderIn, { minItems: 1, maxItems: BATCH_ORDERS_MAX }) },
      { title: 'OrdersIn' },
    ),
    status: 200,
    response: OrderOutcomes,
    example: {
      body: {
        orders: [orderInExample, { symbol: 'btc-usdt', side: 'sell', size: 400, type: 'market' }],
      },
      response: {
        data: [
          { status: 200, order: orderExample },
          {
            status: 400,
            error: { message: 'Insufficient balance to perform the order', lang: 'en', code: 67 },
          },
        ],
      },
    },
  }),
  cancelOrders: defineRoute({
    method: 'DELETE',
    path: '/v2/orders',
    isRialtoOnly: true,
    summary: 'Cancel several orders; each is canceled or rejected separately',
    description: 'Results are in request order.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'cancel',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      order_ids: listIn(OrderIdIn, {
        itemsMax: BATCH_ORDERS_MAX,
        description: 'Separated by commas.',
      }),
    }),
    status: 200,
    response: OrderOutcomes,
    example: {
      query: { order_ids: orderExample.id },
      response: { data: [{ status: 200, order: canceledOrderExample }] },
    },
  }),
  cancelAllOrders: defineRoute({
    method: 'DELETE',
    path: '/v2/orders/all',
    isRialtoOnly: true,
    summary: 'Cancel all your orders in every market',
    description: 'Includes pending stops, in every market. The response lists the canceled orders.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'cancel',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(KnownOrder),
  }),
  setDeadManSwitch: defineRoute({
    method: 'POST',
    path: '/v2/order/dead-man-switch',
    isRialtoOnly: true,
    summary: "Cancel this key's orders unless this request is repeated in time",
    description:
      'Send it every few seconds with a timeout longer than your longest pause. With a session ' +
      'instead of a key, it covers all your orders.',
    tag: 'orders',
    permission: mayTrade,
    effect: 'write',
    mayRepeat: true,
    worksReadOnly: true,
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    body: Type.Object(
      {
        timeout: Type.Integer({
          minimum: 0,
          maximum: 86_400,
          description: 'Seconds; 0 disarms.',
        }),
      },
      { title: 'DeadManSwitchIn' },
    ),
    status: 200,
    response: DeadManSwitch,
    example: {
      body: { timeout: 60 },
      response: { armed: true, fires_at: '2026-01-05T10:01:00.000Z' },
    },
  }),
  getDeadManSwitch: defineRoute({
    method: 'GET',
    path: '/v2/order/dead-man-switch',
    isRialtoOnly: true,
    summary: "Whether this key's switch is armed, and until when",
    description: 'Also shows what the switch did when it last fired.',
    tag: 'orders',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: DeadManSwitch,
  }),
} as const;
