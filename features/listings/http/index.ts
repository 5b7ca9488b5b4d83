// Parts of the listings handlers that other features use.

export { pairFees } from './listing-input.ts';
