// The handlers of health, for the gateway.

export { healthRoutes } from './health-routes.ts';
