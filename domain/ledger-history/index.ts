// The ledger at positions of the past: balances, totals and postings as of a frame or a moment, for
// operators and accountants. Everything follows from the projected entries.

export {
  type AccountBalance,
  balancesBefore,
  type EntryPlace,
  endOf,
} from './balances-at.ts';
export { makeLedgerStep, STEP_LIMITS, type StepLimits } from './checkpoints.ts';
export { type AsOf, findPosition, type Position } from './position.ts';
export {
  type PostingEntry,
  type PostingFilter,
  type PostingList,
  postingOfRow,
  postings,
} from './postings.ts';
export { type AssetTotals, type TotalsNow, totalsAt, totalsNow } from './totals-at.ts';
