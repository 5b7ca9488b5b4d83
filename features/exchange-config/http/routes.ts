// The handlers of exchange-config, for the gateway.

export { kitRoutes } from './kit-routes.ts';
export { setUpRoutes } from './set-up-routes.ts';
