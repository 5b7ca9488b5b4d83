// Access to personal data: masks, look-ups with a budget, reveals with a reason, and exports on
// record.

export { exportList, exportOfRow } from './export-list.ts';
export {
  clearFieldsOf,
  maskBank,
  maskMeta,
  unmaskFields,
  unmaskPersonal,
  unmaskText,
} from './masked-values.ts';
export { hideText, maskEmail, maskText } from './masks.ts';
export { readPerson } from './personal-record.ts';
export { usersNamed } from './user-list.ts';
