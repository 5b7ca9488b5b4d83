// Wire definitions for trading: routes, schemas and errors.

export { fillJson } from './fill-json.ts';
export { NetworkId, OperatorTrade } from './operator-trade.ts';
export {
  KnownOrder,
  OPTIONAL_ORDER_FIELDS,
  ORDER_STATUSES,
  Order,
  OrderIdIn,
  OrderIn,
  OrderInList,
  type OrderStatus,
} from './order.ts';
export { orderErrors } from './order-errors.ts';
export { type OrderFacts, type OrderStanding, orderJson } from './order-json.ts';
export { DeadManSwitch, orderRoutes } from './order-routes.ts';
export { Quote, quoteRoutes } from './quote-routes.ts';
export { operatorTradeJson, type TradeFacts } from './trade-json.ts';
