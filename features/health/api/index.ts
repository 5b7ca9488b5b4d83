// Wire definitions for health: routes, schemas and errors.

export { ExchangeHealth, HealthReport } from './exchange-health.ts';
export { healthErrors } from './health-errors.ts';
export { healthRoutes } from './health-routes.ts';
