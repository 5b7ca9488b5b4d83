// Approvals: what operators can do, how actions are assessed, approved by others and executed;
// roles and control mode.

export {
  type Act,
  type ActContext,
  type ActEffects,
  type ActExchange,
  type Assessment,
  defineAct,
  type Executed,
  type MovedMoney,
  type Operator,
  type Prepared,
  type ShownLine,
} from './act.ts';
export { type ActTable, expireAllApprovals } from './approvals.ts';
export {
  ADMINISTRATOR,
  actsAlone,
  countAdministrators,
  enterTeam,
  readControl,
  setThresholds,
} from './control.ts';
export { type KeyGrant, listKeyGrants, readKeyGrant } from './key-grants.ts';
export {
  type ActPorts,
  EVERYTHING,
  type PerformRefusal,
  performAct,
} from './perform-act.ts';
export {
  type ApprovalPower,
  hasPowerForADay,
  holdersOf,
  isVoter,
  type Power,
  restartRoleAge,
} from './powers.ts';
export { findSharedMark, notIndependent } from './same-person.ts';
export { requestBound } from './sealed-requests.ts';
export {
  covers,
  guardVoter,
  lockTarget,
  objectOf,
  type RoleContent,
  type TargetUser,
  userLabel,
} from './target-user.ts';
export { valueMoney } from './thresholds.ts';
