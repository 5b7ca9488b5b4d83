// Reports: lists across all users, the ledger at any time, the books of a period, fee simulation,
// search and a user's timeline.

export {
  type Books,
  CHART,
  openBooks,
  type Period,
  readGeneralLedger,
  TrialBalance,
} from './books/books.ts';
export {
  type Listings,
  ORDER_COLUMNS,
  readListings,
  readOrderRecords,
  readTradeRecords,
  TRADE_COLUMNS,
} from './books/trading-records.ts';
export { closeFeeDay } from './fee-simulation/fee-days.ts';
export { makeLedgerStep } from './ledger/ledger-checkpoints.ts';
