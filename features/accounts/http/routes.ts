// The handlers of accounts, for the gateway.

export { accountRoutes } from './account-routes.ts';
export { profileRoutes } from './profile-routes.ts';
export { userActsRoutes } from './user-acts-routes.ts';
