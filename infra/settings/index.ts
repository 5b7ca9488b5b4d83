// Settings: every setting of every service in one table, with its meaning, and how a service reads
// its own.

export { isMailAddress, type MailFrom } from './kinds.ts';
export { PRODUCTION_SERVICES, SERVICES, type ServiceName } from './setting.ts';
export {
  allSettings,
  type ConfigFor,
  type DescribedSetting,
  isDefaultInstance,
  readServiceConfig,
  readToolConfig,
  SETTINGS,
  type ServiceConfig,
} from './settings.ts';
