// Staking: pools, stakes of users, the rewards of each day and their payout. Rewards are exact sums
// that are rounded once. Never decides whether a balance is sufficient.

export { type AccrueOptions, accrueRewards, type StakePriceAt } from './accrue.ts';
export { type AdvanceOptions, advanceStakes } from './advance.ts';
export { dayOf, readToday } from './exchange-day.ts';
export { repeatRefused } from './movements.ts';
export {
  allPools,
  findPool,
  insertPool,
  POOL_STATES,
  type PoolState,
  type PoolTerms,
  poolOf,
  poolsForUser,
  type StakePool,
} from './pools.ts';
export {
  STAKE_STATUSES,
  type StakeStatus,
  type StakeSums,
  stakeList,
  sumStakes,
} from './stake-lists.ts';
export {
  estimateEnd,
  findStake,
  hasLiveStakes,
  type OpenedStake,
  openStake,
  STAKES_PER_USER_MAX,
  type Stake,
  type StakeRefusal,
  stakeOf,
  type UnstakeRefusal,
  unstake,
} from './stakes.ts';
