// The wire of accounts: its routes, schemas and errors.

export { accountRoutes } from './account-routes.ts';
export { Balance } from './balance.ts';
export { type AccountNow, balanceFields } from './balance-json.ts';
export { OperatorRow } from './operator.ts';
export { OperatorUser } from './operator-user.ts';
export { profileRoutes } from './profile-routes.ts';
export { Wallet } from './user.ts';
export { userActErrors } from './user-act-errors.ts';
export { userActRoutes } from './user-act-routes.ts';
export { UserTrade } from './user-trade.ts';
