// Gateway handlers for reconciliation.

export { reconciliationRoutes } from './reconciliation-routes.ts';
