// Set-up: the first administrator, roles, the kit, announcements and mails of operators, as acts.

export {
  changeAnnouncementAct,
  changeMailText,
  createAnnouncement,
  htmlOfLines,
  linesOfHtml,
  type MailTextRow,
  RAW_RECEIVERS_MAX,
  rawMail,
  readMailText,
  removeAnnouncementAct,
  sendKnownMail,
  sendRawMail,
} from '../../features/messages/admin/index.ts';
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
