// Staking handlers for the gateway.

export { stakingRoutes } from './staking-routes.ts';
