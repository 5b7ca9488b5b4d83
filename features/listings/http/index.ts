// Parts of the handlers of listings that handlers of other features use.

export { pairFees } from './listing-input.ts';
