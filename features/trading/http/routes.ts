// Trading handlers for the gateway.

export { ordersRoutes } from './order-routes.ts';
export { quotesRoutes } from './quote-routes.ts';
