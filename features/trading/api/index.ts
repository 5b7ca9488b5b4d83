// The wire of trading: its routes, schemas and errors.

export { DeadManSwitch } from './dead-man-switch.ts';
export { fillJson } from './fill-json.ts';
export { NetworkId, OperatorTrade } from './operator-trade.ts';
export {
  KnownOrder,
  ORDER_STATUSES,
  Order,
  OrderIdIn,
  OrderIn,
  OrderInList,
  type OrderStatus,
} from './order.ts';
export { orderErrors } from './order-errors.ts';
export { type OrderFacts, type OrderStanding, orderJson } from './order-json.ts';
export { orderRoutes } from './order-routes.ts';
export { Quote } from './quote.ts';
export { quoteRoutes } from './quote-routes.ts';
export { operatorTradeJson, type TradeFacts } from './trade-json.ts';
