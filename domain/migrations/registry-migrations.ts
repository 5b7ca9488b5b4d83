// The migrations of the registry's schema. What is in it can not be made again from the log: a
// migration must never throw away what somebody owns.

import { type Migration, readMigrations } from '../../infra/postgres/index.ts';

export function readRegistryMigrations(): Migration[] {
  return readMigrations(import.meta.dirname);
}
