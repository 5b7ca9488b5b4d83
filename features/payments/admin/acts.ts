// Actions in this feature that can need approval. Votes find them by name.

import { replaceBankAccountsAct, revokeBankAccountAct, verifyBankAccountAct } from './banks.ts';
import { burnAct } from './burn.ts';
import { creditAct } from './credit.ts';
import { payOutAct } from './pay-out.ts';
import { addPaymentAct, changePaymentAct, removePaymentAct } from './payment-details.ts';
import { reviewDepositAct } from './review-deposit.ts';
import { reviewWithdrawalAct } from './review-withdrawal.ts';
import { settleFeesAct } from './settle-fees.ts';
import { transferAct } from './transfer.ts';
import { setWithdrawalPolicyAct } from './withdrawal-policy.ts';

export const PAYMENTS_ACTS = [
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
  burnAct,
  creditAct,
  payOutAct,
  addPaymentAct,
  changePaymentAct,
  removePaymentAct,
  reviewDepositAct,
  reviewWithdrawalAct,
  settleFeesAct,
  transferAct,
  setWithdrawalPolicyAct,
] as const;
