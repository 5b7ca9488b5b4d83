// The handlers of auth, for the gateway.

export { apiKeysRoutes } from './api-keys-routes.ts';
export { developmentRoutes } from './development-routes.ts';
export { factorsRoutes } from './factors-routes.ts';
export { loginRoutes } from './login-routes.ts';
export { sessionsRoutes } from './sessions-routes.ts';
export { signUpRoutes } from './sign-up-routes.ts';
