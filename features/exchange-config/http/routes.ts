// Gateway handlers for exchange-config.

export { kitRoutes } from './kit-routes.ts';
export { setUpRoutes } from './set-up-routes.ts';
