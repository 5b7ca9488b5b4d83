// Gateway handlers for accounts.

export { accountRoutes, profileRoutes } from './profile-routes.ts';
export { userActsRoutes } from './user-act-routes.ts';
