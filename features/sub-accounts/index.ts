// Sub-accounts: a user's accounts, accounts shared with guests, and transfers within a family.

export { sharedAccountBound } from './account-sharing.ts';
export { listSubAccounts } from './sub-accounts.ts';
