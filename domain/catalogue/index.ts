// Catalogue: coins, markets and tiers as operators describe them, beside what the log lists.

export { Catalogue, readCatalogue } from './catalogue.ts';
export type {
  AssetEntry,
  CatalogueNow,
  CoinEntry,
  FeeRates,
  MarketEntry,
  PairEntry,
  TierEntry,
  WithdrawalFeeEntry,
} from './catalogue-entries.ts';
export { networksOf } from './catalogue-snapshot.ts';
export { type CoinDescription, describeCoin, describePair, describeQuickTrade } from './coins.ts';
export { describeKit, kitWith } from './kit.ts';
