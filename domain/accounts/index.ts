// Accounts: users and their tiers, as rows of the registry. Knows nothing of credentials or money.

export { describeTier, setTransactionLimit, type TransactionLimit } from './tiers.ts';
export { createUser, findUser, findUserByEmail, listWallets, type UserRow } from './users.ts';
