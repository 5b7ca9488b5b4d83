// Parts of the handlers of listings that handlers of other features use.

export { coinOf, constantsOf, limitOf, pairOf } from './constants.ts';
export { decimalsOf, pairFees, sameDecimal, tierFees, withdrawalFees } from './listing-input.ts';
export { tierOf, tiersOf } from './tiers.ts';
