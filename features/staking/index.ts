// Staking: pools, stakes of users, the rewards of each day and their payout.

export { beginStakes } from './advance.ts';
export { isDerivedMovement } from './movements.ts';
export {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from './stake-changes.ts';
export { hasLiveStakes, shownStake } from './stakes.ts';
