// The handlers of market-data, for the gateway.

export { chartsRoutes } from './charts-routes.ts';
export { marketDataRoutes } from './market-data-routes.ts';
export { udfRoutes } from './udf-routes.ts';
