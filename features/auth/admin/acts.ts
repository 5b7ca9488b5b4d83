// Actions in this feature that can need approval. Votes find them by name.

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
