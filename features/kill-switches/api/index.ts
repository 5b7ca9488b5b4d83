// The wire of kill-switches: its routes, schemas and errors.

export { switchRoutes } from './switch-routes.ts';
export { ExchangeStatus, SwitchImpact, SwitchState } from './switches.ts';
