// The handlers of accounts, for the gateway.

export { accountRoutes, profileRoutes } from './profile-routes.ts';
export { userActsRoutes } from './user-act-routes.ts';
