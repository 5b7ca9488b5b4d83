// Wire definitions for proofs: routes, schemas and errors.

export { liabilityErrors } from './liability-errors.ts';
export { liabilityRoutes } from './liability-routes.ts';
