// Wire definitions for exchange-config: routes, schemas and errors.

export { Kit } from './kit.ts';
export { kitRoutes } from './kit-routes.ts';
export { setUpErrors } from './set-up-errors.ts';
export { type Control, setUpRoutes } from './set-up-routes.ts';
