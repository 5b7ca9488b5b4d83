// Set-up: the first administrator, roles, the kit, announcements and mails of operators, as acts.

export {
  addSetupToken,
  createFirstAdministrator,
  type FirstAdministrator,
  type FirstAdministratorRefusal,
  issueSetupToken,
} from './first-administrator.ts';
