// Access to personal data: masks, lookups with a budget, reveals with a reason, and recorded
// exports.

export { clearFieldsOf } from './clear-fields.ts';
export { exportList, exportOfRow } from './export-list.ts';
export {
  maskBank,
  maskMeta,
  unmaskFields,
  unmaskPersonal,
  unmaskText,
} from './masked-values.ts';
export { hideText, maskEmail, maskText } from './masks.ts';
export { readPerson } from './personal-record.ts';
export { CLEAR, MASKED, type PersonalView, viewOf } from './personal-view.ts';
export { usersNamed } from './user-list.ts';
