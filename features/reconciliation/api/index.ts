// The wire of reconciliation: its routes, schemas and errors.

export { ReconciliationState } from './reconciliation.ts';
export { reconciliationRoutes } from './reconciliation-routes.ts';
