// Listings: assets, coins, markets, fees, tiers and limits, as one catalog in memory.

export { Catalogue } from './catalogue.ts';
export type { AssetEntry, CatalogueNow, CoinEntry, MarketEntry } from './catalogue-entries.ts';
export { networksOf } from './catalogue-snapshot.ts';
export { type CoinDescription, describeCoin, describePair, describeQuickTrade } from './coins.ts';
export { readFreezes } from './frozen-markets.ts';
export { describeKit, kitWith } from './kit.ts';
