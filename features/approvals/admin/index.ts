// Operator actions for approvals.

export { APPROVALS_ACTS } from './acts.ts';
export { changeControlMode, changeThresholds, completeSetup } from './control.ts';
export { grantKey } from './key-grants.ts';
