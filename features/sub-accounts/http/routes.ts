// Gateway handlers for sub-accounts.

export { sharedAccountsRoutes } from './shared-account-routes.ts';
export { subAccountsRoutes } from './sub-account-routes.ts';
