// Actions of operators in accounts.

export {
  deleteUserAct,
  freezeUserAct,
  refuseLastAdmin,
  restoreUserAct,
  type UserPayload,
  unfreezeUserAct,
} from './account-state.ts';
export { createUserAct, newUserPayload } from './new-user.ts';
export {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from './profile.ts';
