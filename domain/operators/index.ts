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
export { type ApprovalPower, isPower, POWERS, type Power } from './powers.ts';
