// The handlers of kill-switches, for the gateway.

export { switchRoutes } from './switch-routes.ts';
