// Auth handlers for the gateway.

export { apiKeysRoutes, developmentRoutes } from './api-key-routes.ts';
export { factorsRoutes } from './factor-routes.ts';
export { loginRoutes, sessionsRoutes } from './login-routes.ts';
export { signUpRoutes } from './sign-up-routes.ts';
