// Gateway handlers for portfolio.

export { statisticsRoutes } from './statistics-routes.ts';
