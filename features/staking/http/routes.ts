// The handlers of staking, for the gateway.

export { stakingRoutes } from './staking-routes.ts';
