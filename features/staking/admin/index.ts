// Operator actions for staking.

export { STAKING_ACTS } from './stakes.ts';
