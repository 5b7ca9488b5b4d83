// Sub-accounts: users without credentials of their own, in one family with their parent. Moves
// money only between members of a family; nothing here lets it leave.

export {
  type FamilyTransfer,
  type FamilyTransferred,
  transferInFamily,
} from './family-transfers.ts';
export { openSubAccountSession, type SubSessionRefusal } from './sub-account-sessions.ts';
export {
  createSubAccount,
  hasEngineSettings,
  listSubAccounts,
  type NewSubAccount,
  removeSubAccount,
  SUB_ACCOUNTS_MAX,
  type SubAccountRefusal,
  type SubAccountRow,
} from './sub-accounts.ts';
