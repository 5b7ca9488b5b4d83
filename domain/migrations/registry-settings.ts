// What a service must know to find the registry, as settings of its environment. The database is
// that of `postgresSettings`.

import { text } from '../../infra/process/index.ts';

export const registrySettings = {
  /** The schema that holds what people own. */
  registrySchema: text('RIALTO_REGISTRY_SCHEMA', { fallback: 'registry' }),
};
