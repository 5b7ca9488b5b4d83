// Wire definitions for reports: routes, schemas and errors.

export { ListExport, SearchAnswer, SearchResult, Timeline, Work } from './console.ts';
export { consoleRoutes } from './console-routes.ts';
export { FeeEffects } from './fee-effect.ts';
export { LedgerBalances, LedgerPosting, LedgerTotals } from './ledger.ts';
export { ledgerErrors } from './ledger-errors.ts';
export { ledgerRoutes } from './ledger-routes.ts';
export { operatorListRoutes } from './operator-list-routes.ts';
export {
  BalanceOfUser,
  LoginOfUser,
  OperatedExchange,
  OrderOfUser,
  RefererOfUser,
  TotalBalance,
  WalletOfUser,
} from './operator-lists.ts';
export { AccountStatement, statementRoutes } from './statement-routes.ts';
