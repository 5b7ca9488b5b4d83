// Wire definitions for kill-switches: routes, schemas and errors.

export { switchRoutes } from './switch-routes.ts';
export { ExchangeStatus, SwitchImpact, SwitchState } from './switches.ts';
