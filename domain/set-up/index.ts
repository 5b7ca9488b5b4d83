// Set-up: the first administrator, roles, the kit, announcements and mails of operators, as acts.

export {
  changeControlMode,
  changeRole,
  changeThresholds,
  completeSetup,
  createRole,
  exceeds,
  findRole,
  listRoles,
  type RoleRow,
  removeRole,
  singleOperatorFrom,
} from '../../features/approvals/admin/index.ts';
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
export { SET_UP_ACTS } from './set-up-acts.ts';
