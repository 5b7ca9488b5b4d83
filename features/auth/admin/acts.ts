// The actions of this feature that can wait for approval: votes find them by their name.

import {
  blockWithdrawalsAct,
  changeEmailAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from './access.ts';
import { logoutEveryoneAct } from './logout-everyone.ts';

export const AUTH_ACTS = [
  blockWithdrawalsAct,
  changeEmailAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
  logoutEveryoneAct,
] as const;
