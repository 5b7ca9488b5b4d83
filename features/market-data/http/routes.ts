// Gateway handlers for market-data.

export { chartsRoutes } from './chart-routes.ts';
export { marketDataRoutes } from './market-data-routes.ts';
export { udfRoutes } from './udf-routes.ts';
