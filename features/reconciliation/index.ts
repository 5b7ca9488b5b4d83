// Reconciliation: compares every second copy of money with the engine, and pauses withdrawals of an
// asset whose copies differ.

export { CHECK_NAMES, type Check, type CheckName } from './check.ts';
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
