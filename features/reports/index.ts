// Reports: lists over all users, the ledger at any time, fee simulation, search and the timeline
// of a user.

export { closeFeeDay } from './fee-simulation/fee-days.ts';
export { makeLedgerStep } from './ledger/ledger-checkpoints.ts';
