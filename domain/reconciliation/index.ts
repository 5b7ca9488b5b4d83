// Reconciliation: compares every second copy of money with the engine, all the time, and pauses
// withdrawals of an asset whose copies differ.

export {
  CHECK_NAMES,
  type Check,
  type CheckContext,
  type CheckName,
  type Difference,
} from './check.ts';
export {
  type CheckProgress,
  type RecordedDifference,
  readChecks,
  readOpenDifferences,
} from './differences.ts';
export type { EngineAccount, EngineAsset, EngineHold, EngineState } from './engine-state.ts';
export {
  DECLARE_HOLDING,
  type DeclaredHolding,
  type Holding,
  RECONCILIATION_ACTS,
  readHoldings,
} from './holdings.ts';
export { CHECKS, Reconciliation, type ReconciliationPorts, type Round } from './reconciliation.ts';
