// Actions in this feature that can need approval. Votes find them by name.

import { CHANGE_COIN, CREATE_COIN } from './coins.ts';
import { CHANGE_TIER, CREATE_TIER, SET_PAIR_FEES } from './fees.ts';
import { VOID_COMMAND } from './frozen-commands.ts';
import {
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from './limits.ts';
import { CHANGE_PAIR, CREATE_PAIR, SET_BAND } from './pairs.ts';
import { SET_RULES_VERSION } from './rules-version.ts';
import { SET_USER_GROUP } from './user-groups.ts';

export const LISTINGS_ACTS = [
  CHANGE_COIN,
  CREATE_COIN,
  CHANGE_TIER,
  CREATE_TIER,
  SET_PAIR_FEES,
  VOID_COMMAND,
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
  CHANGE_PAIR,
  CREATE_PAIR,
  SET_BAND,
  SET_RULES_VERSION,
  SET_USER_GROUP,
] as const;
