// Actions of operators in approvals.

export {
  changeControlMode,
  changeThresholds,
  completeSetup,
  singleOperatorFrom,
} from './control.ts';
export {
  changeRole,
  createRole,
  exceeds,
  findRole,
  listRoles,
  type RoleRow,
  removeRole,
} from './roles.ts';
