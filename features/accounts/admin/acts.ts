// The actions of this feature that can wait for approval: votes find them by their name.

import { freezeUserAct, restoreUserAct, unfreezeUserAct } from './account-state.ts';
import { createUserAct } from './new-user.ts';
import {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from './profile.ts';

export const ACCOUNTS_ACTS = [
  freezeUserAct,
  restoreUserAct,
  unfreezeUserAct,
  createUserAct,
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
] as const;
