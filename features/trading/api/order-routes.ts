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
      'When the switch cancels the orders, unless it is armed again before. Null if not armed.',
      '2026-01-05T10:01:00.000Z',
    ),
    fired_at: Type.Optional(
      Type.Unsafe<string | null>({ ...TimestampOrNull, description: 'Only in GET.' }),
    ),
    orders_canceled: sample(
      Type.Optional(
        Type.Integer({ description: 'Orders canceled when it last fired. Only in GET.' }),
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
    status: Type.Integer({ description: 'The status that a single call would have.' }),
    order: Type.Optional(KnownOrder),
    error: field(
      Type.Optional(ErrorBody),
      'Why this order was refused. The others of the batch are not affected.',
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
      'All of your orders without a filter. It includes every order that was acknowledged before ' +
      'the call.',
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
        '`true` for open orders only, `false` for closed ones only.',
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
      'Works for open and closed orders, of any age. After a timeout, ask for the ' +
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
      'Answers when the order is in the log: with its fills, if it traded at once. Equal orders ' +
      'in a row are separate orders; give an order a `client_order_id` to place it once however ' +
      'often you send it. Terms that the exchange does not know are refused by name, never ' +
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
      'The engine runs all checks of `POST /v2/order` on its present state: steps and bounds, ' +
      'status and band of the market, post-only against the book, liquidity, your balance and ' +
      'your limits. It answers with the same error, or that the order would be accepted. ' +
      'Nothing is placed or held, and the client order id stays free. A moment later the answer ' +
      'may differ.',
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
    summary: 'Change size or price; a size that only goes down keeps its place in the queue',
    description:
      'One step, without a moment in which the order is not in the book. A greater size or ' +
      'another price goes to the end of the queue and may trade.',
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
          'The new total size, including what is filled already.',
          '0.2',
        ),
        price: field(
          Type.Optional(DecimalIn),
          'The new limit. The order goes to the end of its price.',
          51000,
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
      'Works in every status of the market, and while the database is down. An order that is ' +
      'closed or belongs to somebody else is `Order not found`.',
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
    summary: 'Place several orders; each is accepted or refused on its own',
    description:
      'Results are in the order of the request. A batch costs the weight of each of its orders.',
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
    description: 'Results are in the order of the request.',
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
    summary: 'Cancel the orders of this key unless this call is repeated in time',
    description:
      'Send it every few seconds with a timeout that is longer than your worst pause. With a ' +
      'session instead of a key it covers all your orders.',
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
    summary: 'Whether the switch of this key is armed, and until when',
    description: 'Also says what the switch did when it fired last.',
    tag: 'orders',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: DeadManSwitch,
  }),
} as const;
