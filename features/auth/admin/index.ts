// Operator actions for auth.

export {
  blockWithdrawalsAct,
  changeEmailAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from './access.ts';
export { AUTH_ACTS } from './acts.ts';
export { logoutEveryoneAct } from './logout-everyone.ts';
