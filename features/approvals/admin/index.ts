// Actions of operators in approvals.

export {
  changeControlMode,
  changeThresholds,
  completeSetup,
  singleOperatorFrom,
} from './control.ts';
export { changeRole, createRole, removeRole } from './roles.ts';
