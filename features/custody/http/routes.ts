// Gateway handlers for custody.

export { custodyRoutes } from './custody-routes.ts';
