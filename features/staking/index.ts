// Staking: pools, users' stakes, daily rewards and their payout.

export { beginStakes } from './advance.ts';
export { isDerivedMovement } from './movements.ts';
export {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from './stake-changes.ts';
export { hasLiveStakes, shownStake } from './stakes.ts';
