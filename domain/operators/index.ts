// Operators: what they may do, how acts are assessed, approved by other people, done and recorded.

export {
  type Act,
  type ActContext,
  type ActEffects,
  type ActExchange,
  ActRefused,
  type Assessment,
  defineAct,
  type Executed,
  type MovedMoney,
  type Operator,
  type ShownLine,
} from './act.ts';
export {
  type ActTable,
  type ApprovalRow,
  type ApprovalState,
  approvalOf,
  expireApprovals,
  readApproval,
  type Vote,
  type Voted,
  voteOn,
  withdrawApproval,
} from './approvals.ts';
export {
  type ControlMode,
  changeMode,
  countAdministrators,
  type ExchangeControl,
  readControl,
  setThresholds,
} from './control.ts';
export {
  type ActPorts,
  EVERYTHING,
  type Performed,
  performAct,
  TIME_LOCK_MS,
} from './perform-act.ts';
export { type PerformedInPerson, type PersonProof, performInPerson } from './perform-in-person.ts';
export {
  type ApprovalPower,
  hasPowerForADay,
  holdersOf,
  isPower,
  POWERS,
  type Power,
} from './powers.ts';
export { isVoter, restartRoleAge } from './role-age.ts';
export { findSharedMark, type SharedMark } from './same-person.ts';
export { openContent, type RequestContent, requestBound } from './sealed-requests.ts';
export { changeCurrency, priceInCurrency, valueMoney } from './thresholds.ts';
