// Staking: pools, stakes of users, the rewards of each day and their payout.

export { accrueRewards } from './accrue.ts';
export { advanceStakes, beginStakes } from './advance.ts';
export { repeatRefused } from './movements.ts';
export {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from './stake-changes.ts';
export { hasLiveStakes, shownStake } from './stakes.ts';
