// Actions in this feature that can need approval. Votes find them by name.

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
