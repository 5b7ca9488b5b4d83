// Acts of operators that move money: credits, burns, transfers, payouts, reviews, trades and orders
// on behalf of users, and the settlement of fees. The engine decides whether a balance suffices.

import {
  burnAct,
  creditAct,
  payOutAct,
  reviewDepositAct,
  reviewWithdrawalAct,
  settleFeesAct,
  transferAct,
} from '../../features/payments/admin/index.ts';
import {
  cancelOrderAct,
  directTradeAct,
  placeOrderAct,
} from '../../features/trading/admin/index.ts';

export {
  type Asked,
  type AskedRequest,
  type BurnPayload,
  burnAct,
  type CreditPayload,
  creditAct,
  type PayOutPayload,
  payOutAct,
  positionOf,
  type ReviewDepositPayload,
  type ReviewStep,
  type ReviewWithdrawalPayload,
  reviewDepositAct,
  reviewWithdrawalAct,
  settleFeesAct,
  type TransferPayload,
  transferAct,
} from '../../features/payments/admin/index.ts';
export {
  type CancelOrderPayload,
  cancelOrderAct,
  type DirectTradePayload,
  directTradeAct,
  type PlaceOrderPayload,
  placeOrderAct,
} from '../../features/trading/admin/index.ts';

/** For votes. */
export const MONEY_ACTS = [
  creditAct,
  reviewDepositAct,
  burnAct,
  reviewWithdrawalAct,
  transferAct,
  payOutAct,
  directTradeAct,
  placeOrderAct,
  cancelOrderAct,
  settleFeesAct,
] as const;
