// Acts of operators about users: their accounts, access, profile, bank accounts and addresses. The
// rules of each change are in the packages of accounts, identity and bank accounts.

export {
  createUserAct,
  deleteUserAct,
  freezeUserAct,
  newUserPayload,
  restoreUserAct,
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  unfreezeUserAct,
  updateUserAct,
} from '../../features/accounts/admin/index.ts';
export {
  blockWithdrawalsAct,
  changeEmailAct,
  logoutEveryoneAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from '../../features/auth/admin/index.ts';
export {
  addPaymentAct,
  changePaymentAct,
  createAddressAct,
  type PaymentPayload,
  removePaymentAct,
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from '../../features/payments/admin/index.ts';
export { covers, type RoleContent } from './target-user.ts';
export { USER_ACTS } from './user-acts.ts';
