// Accounts: users and their tiers, as rows of the registry. Knows nothing of credentials or money.

export {
  CLOSING_MS,
  closeDueAccounts,
  hasSubAccounts,
  reopenAccounts,
  startClosing,
} from './closing.ts';
export {
  type EngineSettings,
  joinFamilyGroups,
  markSettingsSent,
  readUnsentSettings,
  setEngineSettings,
  type UnsentSettings,
} from './engine-settings.ts';
export { type ErasureRefusal, eraseUser, listUsersToErase } from './erasure.ts';
export {
  NO_PERSONAL_DATA,
  type PersonalData,
  personalOf,
  readPersonal,
  renewTokens,
  writePersonal,
} from './personal-data.ts';
export {
  destroyPersonalKey,
  findPersonalKey,
  keyOf as personalKeyOf,
  lockPersonalKey,
  type PersonalKey,
  type PersonalRefusal,
  personalKeyBound,
} from './personal-keys.ts';
export {
  birthTokens,
  documentTokens,
  genderTokens,
  hasTokensOf,
  nameTokens,
  nationalityTokens,
  phoneTokens,
} from './personal-tokens.ts';
export { chooseUsername, replaceSettings, type UsernameRefusal } from './profile.ts';
export { describeTier, setTransactionLimit, type TransactionLimit } from './tiers.ts';
export {
  createHouseUser,
  createSubUser,
  createUser,
  findUser,
  findUserByEmail,
  isEmailAddress,
  listWallets,
  normalEmail,
  type UserRow,
  type UserState,
  userOf,
  type WalletRow,
} from './users.ts';
