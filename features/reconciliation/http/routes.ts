// The handlers of reconciliation, for the gateway.

export { reconciliationRoutes } from './reconciliation-routes.ts';
