// Gateway handlers for proofs of liabilities.

export { liabilitiesRoutes } from './liability-routes.ts';
