// The handlers of surveillance, for the gateway.

export { surveillanceRoutes } from './surveillance-routes.ts';
