// Set-up: the first administrator, roles, the kit, announcements and mails of operators, as acts.

export {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from './announcement-acts.ts';
export {
  changeControlMode,
  changeThresholds,
  completeSetup,
  singleOperatorFrom,
} from './control-acts.ts';
export {
  addSetupToken,
  createFirstAdministrator,
  type FirstAdministrator,
  type FirstAdministratorRefusal,
  isSetupToken,
  issueSetupToken,
} from './first-administrator.ts';
export {
  changeKit,
  changeUserMeta,
  createUserMeta,
  readKitContent,
  removeUserMeta,
  USER_META_TYPES,
  type UserMetaField,
} from './kit-acts.ts';
export { RAW_RECEIVERS_MAX, rawMail, sendKnownMail, sendRawMail } from './mail-acts.ts';
export { htmlOfLines, linesOfHtml } from './mail-html.ts';
export { changeMailText, type MailTextRow, readMailText } from './mail-texts.ts';
export {
  changeRole,
  createRole,
  exceeds,
  findRole,
  listRoles,
  type RoleRow,
  removeRole,
} from './roles.ts';
export { SET_UP_ACTS } from './set-up-acts.ts';
