// The handlers of auth, for the gateway.

export { apiKeysRoutes, developmentRoutes } from './api-keys-routes.ts';
export { factorsRoutes } from './factors-routes.ts';
export { loginRoutes, sessionsRoutes } from './login-routes.ts';
export { signUpRoutes } from './sign-up-routes.ts';
