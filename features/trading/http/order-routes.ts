// Handlers for orders: place, amend, cancel and read, one by one or in batches, and the dead man's
// switch. Longer handlers have separate files in this folder.

import {
  type Dependencies,
  type HandlersOf,
  JsonText,
  requireFresh,
  requireMarket,
} from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';
import { amendOrder } from './amend-order.ts';
import { cancelAll, cancelByClientId, cancelByNumber } from './cancel-order.ts';
import { getDeadManSwitch, setDeadManSwitch } from './dead-man-switch.ts';
import { orderText } from './order-answers.ts';
import { getOrders } from './order-list.ts';
import { outcomesOf } from './order-outcomes.ts';
import { orderNumberOf } from './order-request.ts';
import { readOrder, readOrderByClientId } from './order-rows.ts';
import { submitOrder } from './submit-order.ts';
import { testOrder } from './test-order.ts';

const EVERY_MARKET = 0;

export const ordersRoutes: HandlersOf<'orders'> = {
  amendOrder,
  getDeadManSwitch,
  getOrders,
  setDeadManSwitch,
  testOrder,

  async createOrder({ body, caller }, dependencies) {
    return answerOf(await submitOrder(dependencies, caller, body));
  },

  async createOrders({ body, caller, charge }, dependencies) {
    // The route's own cost covers the first order.
    const limited = charge(body.orders.length - 1);
    if (limited !== undefined) return limited;
    return outcomesOf(dependencies, caller, body.orders, (order) =>
      submitOrder(dependencies, caller, order),
    );
  },

  /** Another user's order gets the same response as a missing order. */
  async getOrder({ caller, query }, dependencies) {
    const { client_order_id: clientOrderId = '', order_id } = query;
    const { user } = caller;
    const number = order_id === undefined ? undefined : orderNumberOf(order_id);
    if (number instanceof Refused) return number;
    const behind = await requireFresh(dependencies);
    if (behind !== undefined) return behind;
    const order =
      number === undefined
        ? await readOrderByClientId(dependencies.projections, { user, clientOrderId })
        : await readOrder(dependencies.projections, number);
    if (order === undefined || order.user !== user) return new Refused('order_must_exist');
    return new JsonText(orderText(dependencies.catalogue.now, order));
  },

  async cancelOrder({ caller, query }, dependencies) {
    const { client_order_id, order_id } = query;
    const canceled =
      order_id === undefined
        ? cancelByClientId(dependencies, caller, client_order_id ?? '')
        : cancelById(dependencies, caller, order_id);
    return answerOf(await canceled);
  },

  async cancelOrders({ caller, charge, query }, dependencies) {
    // The route's own cost covers the first order.
    const limited = charge(query.order_ids.length - 1);
    if (limited !== undefined) return limited;
    return outcomesOf(dependencies, caller, query.order_ids, (id) =>
      cancelById(dependencies, caller, id),
    );
  },

  async cancelOrdersOfMarket({ caller, query }, dependencies) {
    const listed = requireMarket(dependencies, query.symbol);
    if (listed instanceof Refused) return listed;
    return answerOf(await cancelAll(dependencies, caller, listed.market));
  },

  async cancelAllOrders({ caller }, dependencies) {
    return answerOf(await cancelAll(dependencies, caller, EVERY_MARKET));
  },
};

async function cancelById(dependencies: Dependencies, caller: Caller, id: string) {
  const order = orderNumberOf(id);
  return order instanceof Refused ? order : cancelByNumber(dependencies, caller, order);
}

function answerOf(json: string | Refused<ErrorKey>): JsonText | Refused<ErrorKey> {
  return json instanceof Refused ? json : new JsonText(json);
}
