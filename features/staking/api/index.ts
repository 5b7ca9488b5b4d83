// Wire definitions for staking: routes, schemas and errors.

export { type StakeFacts, stakerJson } from './staker-json.ts';
export { StakePool, StakePoolOfOperators, Staker } from './staking.ts';
export { stakingErrors } from './staking-errors.ts';
export { stakingRoutes } from './staking-routes.ts';
