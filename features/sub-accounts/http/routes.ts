// The handlers of sub-accounts, for the gateway.

export { sharedAccountsRoutes } from './shared-accounts-routes.ts';
export { subAccountsRoutes } from './sub-accounts-routes.ts';
