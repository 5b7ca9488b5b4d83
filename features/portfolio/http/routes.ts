// The handlers of portfolio, for the gateway.

export { statisticsRoutes } from './statistics-routes.ts';
