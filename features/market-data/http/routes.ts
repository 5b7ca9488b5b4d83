// The handlers of market-data, for the gateway.

export { chartsRoutes } from './chart-routes.ts';
export { marketDataRoutes } from './market-data-routes.ts';
export { udfRoutes } from './udf-routes.ts';
