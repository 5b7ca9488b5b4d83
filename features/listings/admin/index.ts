// Actions of operators in listings.

export {
  CHANGE_COIN,
  type CoinChange,
  type CoinFields,
  CREATE_COIN,
  type NewCoin,
  type WithdrawalFeeFields,
} from './coins.ts';
export { ppmOf } from './decimals.ts';
export {
  CHANGE_TIER,
  CREATE_TIER,
  feesOf,
  type NewTier,
  type PairFees,
  type Rates,
  SET_PAIR_FEES,
  type SetFees,
  type TierFields,
} from './fees.ts';
export { type Freeze, readFreezes, VOID_COMMAND } from './frozen-commands.ts';
export {
  DELETE_TRANSACTION_LIMIT,
  type EngineLimitsChange,
  type LimitChange,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from './limits.ts';
export {
  type ListedFees,
  readFees,
  readLimits,
  readMarkets,
  readRulesVersion,
  requireAsset,
  requireMarket,
} from './listed.ts';
export {
  type BandChange,
  CHANGE_PAIR,
  CREATE_PAIR,
  isOpen,
  type NewPair,
  PAIR_DEFAULTS,
  type PairChange,
  SET_BAND,
} from './pairs.ts';
export { type RulesVersionChange, SET_RULES_VERSION } from './rules-version.ts';
export { SET_USER_GROUP } from './user-groups.ts';
