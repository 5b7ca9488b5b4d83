// Actions of operators in approvals.

export { APPROVALS_ACTS } from './acts.ts';
export {
  changeControlMode,
  changeThresholds,
  completeSetup,
  singleOperatorFrom,
} from './control.ts';
