// The migrations of the projected tables.

import { join } from 'node:path';
import { type Migration, readMigrations } from '../postgres/index.ts';

export function readProjectionMigrations(): Migration[] {
  return readMigrations(join(import.meta.dirname, 'migrations'));
}
