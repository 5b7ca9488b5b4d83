// Acts of operators that move money: credits, burns, transfers, payouts, reviews, trades and orders
// on behalf of users, and the settlement of fees. The engine decides whether a balance suffices.

import { burnAct } from './burn.ts';
import { creditAct } from './credit.ts';
import { directTradeAct } from './direct-trade.ts';
import { cancelOrderAct, placeOrderAct } from './orders.ts';
import { payOutAct } from './pay-out.ts';
import { reviewDepositAct } from './review-deposit.ts';
import { reviewWithdrawalAct } from './review-withdrawal.ts';
import { settleFeesAct } from './settle-fees.ts';
import { transferAct } from './transfer.ts';

export { type BurnPayload, burnAct } from './burn.ts';
export { type CreditPayload, creditAct } from './credit.ts';
export { type DirectTradePayload, directTradeAct } from './direct-trade.ts';
export { type Asked, type AskedRequest, positionOf } from './money-terms.ts';
export {
  type CancelOrderPayload,
  cancelOrderAct,
  type PlaceOrderPayload,
  placeOrderAct,
} from './orders.ts';
export { type PayOutPayload, payOutAct } from './pay-out.ts';
export { type ReviewDepositPayload, reviewDepositAct } from './review-deposit.ts';
export {
  type ReviewStep,
  type ReviewWithdrawalPayload,
  reviewWithdrawalAct,
} from './review-withdrawal.ts';
export { settleFeesAct } from './settle-fees.ts';
export { type TransferPayload, transferAct } from './transfer.ts';

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
