// Reconciliation: compares all records of money outside the engine with the engine, and pauses
// withdrawals of an asset with a discrepancy.

export {
  CHECK_NAMES,
  type Check,
  type CheckName,
  type CoinSource,
  NodeAway,
} from './check.ts';
export { readChecks, readOpenDifferences } from './differences.ts';
export type {
  EngineAccount,
  EngineAsset,
  EngineHold,
  EngineOrder,
  EngineState,
  EngineUser,
} from './engine-state.ts';
export { readRecordedFrame } from './log-checks.ts';
export { LogTail } from './log-tail.ts';
export { CHECKS, Reconciliation, type ReconciliationPorts, type Round } from './reconciliation.ts';
