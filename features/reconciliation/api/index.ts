// Wire definitions for reconciliation: routes, schemas and errors.

export { ReconciliationState } from './reconciliation.ts';
export { reconciliationRoutes } from './reconciliation-routes.ts';
