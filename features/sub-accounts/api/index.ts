// The wire of sub-accounts: its routes, schemas and errors.

export { SharedAccount } from './shared-account.ts';
export { sharedAccountRoutes } from './shared-account-routes.ts';
export { SubAccount } from './sub-account.ts';
export { subAccountErrors } from './sub-account-errors.ts';
export { subAccountRoutes } from './sub-account-routes.ts';
