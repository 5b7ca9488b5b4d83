// Gateway handlers for listings.

export { controlRoutes } from './control-routes.ts';
export { exchangeRoutes } from './exchange-routes.ts';
export { listingRoutes } from './listing-routes.ts';
