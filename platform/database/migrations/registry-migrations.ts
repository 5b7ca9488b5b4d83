// The migrations of the registry's schema. Its rows cannot be rebuilt from the log: a migration
// must never discard anything that a user owns.

import { type Migration, readMigrations } from '../../../infra/postgres/index.ts';

export function readRegistryMigrations(): Migration[] {
  return readMigrations(import.meta.dirname);
}
