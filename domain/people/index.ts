// People, as operators see and find them: masks, look-ups with a budget, and the break glass.

export { exportList, exportOfRow } from './export-list.ts';
export {
  type ExportAnswer,
  type ExportAsked,
  type ExportSent,
  endExport,
  recordExport,
} from './exports.ts';
export { admitRead, type BudgetSpent, countLookUp, type LookUp } from './look-ups.ts';
export {
  clearFieldsOf,
  maskAddress,
  maskBank,
  maskDocument,
  maskMeta,
  unmaskFields,
  unmaskPersonal,
  unmaskText,
} from './masked-values.ts';
export { hideText, maskEmail, maskEnding, maskName, maskText } from './masks.ts';
export { PEOPLE_ACTS } from './people-acts.ts';
export { type Person, personOf, readPerson } from './person.ts';
export {
  listAccesses,
  openReveal,
  REVIEW_REVEAL,
  type Reveal,
  readReveal,
  revealOf,
  revealPerson,
} from './reveals.ts';
export {
  confirmsPerson,
  type UserFilter,
  type UserList,
  type UserSearch,
  userList,
  usersNamed,
} from './user-list.ts';
