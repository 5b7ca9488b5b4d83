// Actions of operators in accounts.

export { isLastAdministrator, type UserPayload } from './account-state.ts';
export { ACCOUNTS_ACTS } from './acts.ts';
