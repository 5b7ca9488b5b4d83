// Operator actions for listings.

export { LISTINGS_ACTS } from './acts.ts';
export { ppmOf } from './decimals.ts';
export { feesOf } from './fees.ts';
export { findMarket, readFees, readMarkets, requireAsset, requireListedMarket } from './listed.ts';
