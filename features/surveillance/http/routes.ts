// Gateway handlers for surveillance.

export { surveillanceRoutes } from './surveillance-routes.ts';
