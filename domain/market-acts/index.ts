// Acts of operators about coins, markets, fees, tiers, limits and frozen markets.
// They change descriptions in the registry and append commands to the queue of the engine.

import { CHANGE_COIN, CREATE_COIN } from './coin-acts.ts';
import { CHANGE_TIER, CREATE_TIER, SET_PAIR_FEES } from './fee-acts.ts';
import { VOID_COMMAND } from './freeze-acts.ts';
import { SET_USER_GROUP } from './group-acts.ts';
import {
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from './limit-acts.ts';
import { CHANGE_PAIR, CREATE_PAIR, SET_BAND } from './pair-acts.ts';
import { SET_RULES_VERSION } from './rules-version-act.ts';

export {
  CHANGE_COIN,
  type CoinChange,
  type CoinFields,
  CREATE_COIN,
  type NewCoin,
  type WithdrawalFeeFields,
} from './coin-acts.ts';
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
} from './fee-acts.ts';
export { type Freeze, readFreezes, VOID_COMMAND } from './freeze-acts.ts';
export { SET_USER_GROUP } from './group-acts.ts';
export {
  DELETE_TRANSACTION_LIMIT,
  type EngineLimitsChange,
  type LimitChange,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from './limit-acts.ts';
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
} from './pair-acts.ts';
export { type RulesVersionChange, SET_RULES_VERSION } from './rules-version-act.ts';

export const MARKET_ACTS = [
  CREATE_COIN,
  CHANGE_COIN,
  CREATE_PAIR,
  CHANGE_PAIR,
  SET_BAND,
  SET_PAIR_FEES,
  CREATE_TIER,
  CHANGE_TIER,
  SET_TRANSACTION_LIMIT,
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_USER_GROUP,
  VOID_COMMAND,
  SET_RULES_VERSION,
] as const;
