// Gateway handlers for kill-switches.

export { switchRoutes } from './switch-routes.ts';
