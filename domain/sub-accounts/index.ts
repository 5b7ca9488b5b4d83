// Accounts that a person enters besides their own: sub-accounts, which are users without
// credentials in one family with their parent, and accounts that others share. Moves money only
// between members of a family; nothing here lets it leave.

export {
  type FamilyTransfer,
  type FamilyTransferred,
  transferInFamily,
} from './family-transfers.ts';
export {
  enterSharedAccount,
  listAccessibleAccounts,
  listSharedAccounts,
  pauseSharedAccount,
  removeSharedAccount,
  resumeSharedAccount,
  SHARED_ACCOUNTS_MAX,
  type SharedAccountRefusal,
  type SharedAccountRow,
  shareAccount,
  sharedAccountBound,
} from './shared-accounts.ts';
export { openSubAccountSession, type SubSessionRefusal } from './sub-account-sessions.ts';
export {
  createSubAccount,
  hasEngineSettings,
  listSubAccounts,
  type NewSubAccount,
  removeSubAccount,
  SUB_ACCOUNTS_EVER_MAX,
  SUB_ACCOUNTS_MAX,
  type SubAccountRefusal,
  type SubAccountRow,
} from './sub-accounts.ts';
