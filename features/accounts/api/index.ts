// Wire definitions for accounts: routes, schemas and errors.

export { accountRoutes, UserTrade } from './account-routes.ts';
export { type AccountNow, Balance, balanceFields } from './balance.ts';
export { OperatorUser } from './operator-user.ts';
export { profileRoutes } from './profile-routes.ts';
export { Wallet } from './user.ts';
export { userActErrors } from './user-act-errors.ts';
export { OperatorRow, userActRoutes } from './user-act-routes.ts';
