// The settings with which a service finds the registry. The database is that of `postgresSettings`.

import { text } from '../../infra/process/index.ts';

export const registrySettings = {
  /** The registry's schema: users, keys, requests. */
  registrySchema: text('RIALTO_REGISTRY_SCHEMA', { fallback: 'registry' }),
};
