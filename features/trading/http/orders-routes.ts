// The routes of orders: place, amend, cancel and read them, one by one or in batches, and the dead
// man's switch that cancels them. Longer handlers have files of their own in this folder.

import {
  ApiRefusal,
  type HandlersOf,
  JsonText,
  requireFresh,
  requireMarket,
} from '../../../platform/http/index.ts';
import { amendOrder } from './amend-order.ts';
import { cancelAll, cancelByClientId, cancelByNumber } from './cancel-order.ts';
import { getDeadManSwitch, setDeadManSwitch } from './dead-man-switch.ts';
import { getOrders } from './order-list.ts';
import { orderText } from './order-now.ts';
import { outcomesOf } from './order-outcomes.ts';
import { orderNumberOf } from './order-request.ts';
import { readOrder, readOrderByClientId } from './order-rows.ts';
import { placeOrder } from './place-order.ts';
import { testOrder } from './test-order.ts';

const EVERY_MARKET = 0;

export const ordersRoutes: HandlersOf<'orders'> = {
  amendOrder,
  getDeadManSwitch,
  getOrders,
  setDeadManSwitch,
  testOrder,

  async createOrder({ body, caller }, dependencies) {
    return new JsonText(await placeOrder(dependencies, caller, body));
  },

  async createOrders({ body, caller, charge }, dependencies) {
    // The route's own weight pays for the first order.
    charge(body.orders.length - 1);
    return outcomesOf(dependencies, caller, body.orders, (order) =>
      placeOrder(dependencies, caller, order),
    );
  },

  /** An order of another user is answered like an order that does not exist. */
  async getOrder({ caller, query }, dependencies) {
    const { client_order_id: clientOrderId = '', order_id } = query;
    const { user } = caller;
    const number = order_id === undefined ? undefined : orderNumberOf(order_id);
    await requireFresh(dependencies);
    const order =
      number === undefined
        ? await readOrderByClientId(dependencies.projections, { user, clientOrderId })
        : await readOrder(dependencies.projections, number);
    if (order === undefined || order.user !== user) throw new ApiRefusal('order_must_exist');
    return new JsonText(orderText(dependencies.catalogue.now, order));
  },

  async cancelOrder({ caller, query }, dependencies) {
    const { client_order_id, order_id } = query;
    const canceled =
      order_id === undefined
        ? cancelByClientId(dependencies, caller, client_order_id ?? '')
        : cancelByNumber(dependencies, caller, orderNumberOf(order_id));
    return new JsonText(await canceled);
  },

  async cancelOrders({ caller, charge, query }, dependencies) {
    // The route's own weight pays for the first order.
    charge(query.order_ids.length - 1);
    return outcomesOf(dependencies, caller, query.order_ids, async (id) =>
      cancelByNumber(dependencies, caller, orderNumberOf(id)),
    );
  },

  async cancelOrdersOfMarket({ caller, query }, dependencies) {
    const { market } = requireMarket(dependencies, query.symbol);
    return new JsonText(await cancelAll(dependencies, caller, market));
  },

  async cancelAllOrders({ caller }, dependencies) {
    return new JsonText(await cancelAll(dependencies, caller, EVERY_MARKET));
  },
};
