// Wire definitions for listings: routes, schemas and errors.

export { Coin, WithdrawalFee } from './coin.ts';
export { Constants, TransactionLimit } from './constants.ts';
export { controlRoutes } from './control-routes.ts';
export { exchangeRoutes, Health } from './exchange-routes.ts';
export {
  EngineLimits,
  FrozenByCommand,
  ListedCoin,
  ListedPair,
  RulesVersion,
} from './listed-market.ts';
export { listingRoutes, Tier } from './listing-routes.ts';
export { marketErrors } from './market-errors.ts';
export { Pair } from './pair.ts';
