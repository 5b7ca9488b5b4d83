// Wire types of the vocabulary's lists.

import type { Word } from './layout.ts';
import type {
  CloseReason,
  MarketStatus,
  OrderType,
  Refusal,
  SelfTradeMode,
  Side,
  TimeInForce,
  Trigger,
} from './vocabulary.ts';
import {
  CLOSE_REASONS,
  MARKET_STATUSES,
  ORDER_TYPES,
  REFUSALS,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGERS,
} from './vocabulary.ts';

export const side: Word<Side> = { list: SIDES, listName: 'SIDES' };
export const orderType: Word<OrderType> = { list: ORDER_TYPES, listName: 'ORDER_TYPES' };
export const timeInForce: Word<TimeInForce> = { list: TIMES_IN_FORCE, listName: 'TIMES_IN_FORCE' };
export const selfTradeMode: Word<SelfTradeMode> = {
  list: SELF_TRADE_MODES,
  listName: 'SELF_TRADE_MODES',
};
export const trigger: Word<Trigger> = { list: TRIGGERS, listName: 'TRIGGERS' };
export const marketStatus: Word<MarketStatus> = {
  list: MARKET_STATUSES,
  listName: 'MARKET_STATUSES',
};
export const closeReason: Word<CloseReason> = { list: CLOSE_REASONS, listName: 'CLOSE_REASONS' };
export const refusal: Word<Refusal> = { list: REFUSALS, listName: 'REFUSALS' };
