// Acts of operators about users: their accounts, access, profile, bank accounts and addresses. The
// rules of each change are in the packages of accounts, identity and bank accounts.

export {
  blockWithdrawalsAct,
  changeEmailAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from './access-acts.ts';
export {
  deleteUserAct,
  freezeUserAct,
  restoreUserAct,
  unfreezeUserAct,
} from './account-state-acts.ts';
export {
  createAddressAct,
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from './bank-acts.ts';
export { logoutEveryoneAct } from './logout-everyone-act.ts';
export { createUserAct, newUserPayload } from './new-user-act.ts';
export {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from './payment-acts.ts';
export {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from './profile-acts.ts';
export { covers, type RoleContent } from './target-user.ts';
export { USER_ACTS } from './user-acts.ts';
