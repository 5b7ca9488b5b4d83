// Reports: lists across all users, the ledger at any time, fee simulation, search and a user's
// timeline.

export { closeFeeDay } from './fee-simulation/fee-days.ts';
export { makeLedgerStep } from './ledger/ledger-checkpoints.ts';
