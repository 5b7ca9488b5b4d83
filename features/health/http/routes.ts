// Gateway handlers for health.

export { healthRoutes } from './health-routes.ts';
