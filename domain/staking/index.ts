// Staking: pools, stakes of users, the rewards of each day and their payout. Rewards are exact sums
// that are rounded once. Never decides whether a balance is sufficient.

export { type AccrueOptions, accrueRewards, type StakePriceAt } from './accrue.ts';
export { type AdvanceOptions, advanceStakes, beginStakes } from './advance.ts';
export { dayOf, readToday } from './exchange-day.ts';
export { repeatRefused } from './movements.ts';
export { changePoolAct, createPoolAct, terminatePoolAct } from './pool-acts.ts';
export { APY_DECIMALS, type PoolInput, PPM_DECIMALS } from './pool-terms.ts';
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
export { adjustStakeAct, STAKING_ACTS, type StakePayload } from './stake-acts.ts';
export {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from './stake-changes.ts';
export { type StakeSums, stakeList, sumStakes } from './stake-lists.ts';
export {
  estimateEnd,
  findStake,
  hasLiveStakes,
  type OpenedStake,
  openStake,
  type ShownStake,
  STAKES_PER_USER_MAX,
  type Stake,
  type StakeRefusal,
  shownStake,
  stakeOf,
  type UnstakeRefusal,
  unstake,
} from './stakes.ts';
