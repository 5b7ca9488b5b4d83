// The acts about users that may wait for votes; votes find them by their name.

import {
  createUserAct,
  freezeUserAct,
  restoreUserAct,
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  unfreezeUserAct,
  updateUserAct,
} from '../../features/accounts/admin/index.ts';
import type { Act } from '../../features/approvals/index.ts';
import {
  blockWithdrawalsAct,
  changeEmailAct,
  logoutEveryoneAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from '../../features/auth/admin/index.ts';
import {
  addPaymentAct,
  changePaymentAct,
  removePaymentAct,
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from '../../features/payments/admin/index.ts';

export const USER_ACTS = [
  addPaymentAct,
  blockWithdrawalsAct,
  changeEmailAct,
  changePaymentAct,
  createUserAct,
  freezeUserAct,
  logoutEveryoneAct,
  removePaymentAct,
  replaceBankAccountsAct,
  resetFactorsAct,
  restoreUserAct,
  revokeBankAccountAct,
  revokeSessionAct,
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  setRoleAct,
  toggleFlagAct,
  unfreezeUserAct,
  updateUserAct,
  verifyBankAccountAct,
  verifyEmailAct,
] as unknown as readonly Act[];
