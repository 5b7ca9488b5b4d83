// Actions of operators in accounts.

export {
  freezeUserAct,
  refuseLastAdmin,
  restoreUserAct,
  type UserPayload,
  unfreezeUserAct,
} from './account-state.ts';
export { createUserAct } from './new-user.ts';
export {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from './profile.ts';
