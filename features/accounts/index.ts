// Accounts: users, their profile and personal data, fee tiers and groups, closing and erasure.

export { CLOSING_MS, hasSubAccounts, reopenAccounts, startClosing } from './closing.ts';
export { reopenCredited } from './credited-accounts.ts';
export {
  joinFamilyGroups,
  markSettingsSent,
  readUnsentSettings,
  setEngineSettings,
  type UnsentSettings,
} from './engine-settings.ts';
export { eraseUser } from './erasure.ts';
export {
  type PersonalData,
  personalOf,
  readPersonal,
  renewTokens,
  writePersonal,
} from './personal-data.ts';
export {
  findPersonalKey,
  keyOf,
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
export { replaceSettings } from './profile.ts';
export { describeTier, setTransactionLimit, type TransactionLimit } from './tiers.ts';
export {
  createHouseUser,
  createLostUser,
  createSubUser,
  createUser,
  findUser,
  findUserByEmail,
  isEmailAddress,
  LOST_DOMAIN,
  listWallets,
  normalEmail,
  type UserRow,
  type UserState,
  userOf,
} from './users.ts';
