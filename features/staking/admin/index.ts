// Actions of operators in staking.

export { STAKING_ACTS } from './stakes.ts';
