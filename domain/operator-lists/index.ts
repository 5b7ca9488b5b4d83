// Lists over all users, for operators: statements that an index serves for every filter. Rows of
// the projected tables are joined with the registry, which is in the same database.

export { balancesOfUsers, totalBalances } from './balances.ts';
export type { OperatorList } from './list-statement.ts';
export { loginsOfUsers } from './logins.ts';
export { ordersOfUsers } from './orders.ts';
export { referralCodesOfUsers } from './referral-codes.ts';
export { sessionsOfUsers } from './sessions.ts';
export { type TradeOfRow, tradeOfRow, tradesOfUsers } from './trades.ts';
export { type WalletOfRow, walletOfRow, walletsOfUsers } from './wallets.ts';
