// Operator actions for accounts.

export { isLastAdministrator, type UserPayload } from './account-state.ts';
export { ACCOUNTS_ACTS } from './acts.ts';
