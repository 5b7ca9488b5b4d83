// The setting with which tools find the roles of an exchange.

import { text } from '../../infra/process/index.ts';

export const roleSettings = {
  /** Roles belong to the whole server: two exchanges on it need two prefixes. */
  rolePrefix: text('RIALTO_POSTGRES_ROLE_PREFIX', { fallback: 'rialto' }),
};
