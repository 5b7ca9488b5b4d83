// Wire definitions for sub-accounts: routes, schemas and errors.

export { SharedAccount, sharedAccountRoutes } from './shared-account-routes.ts';
export { subAccountErrors } from './sub-account-errors.ts';
export { SubAccount, subAccountRoutes } from './sub-account-routes.ts';
