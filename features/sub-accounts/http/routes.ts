// The handlers of sub-accounts, for the gateway.

export { sharedAccountsRoutes } from './shared-account-routes.ts';
export { subAccountsRoutes } from './sub-account-routes.ts';
