// The handlers of trading, for the gateway.

export { ordersRoutes } from './orders-routes.ts';
export { quotesRoutes } from './quotes-routes.ts';
