// Versions and migrations in a release, read from its folder.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Migration, readMigrations } from '../../infra/postgres/index.ts';
import { ToolFault } from '../command-line.ts';

export interface ReleaseFacts {
  readonly version: string;
  /** Layout version that it writes, and the last that it reads. */
  readonly schemaVersion: number;
  readonly rulesVersionMin: number;
  readonly rulesVersionMax: number;
  readonly registryMigrations: readonly Migration[];
  readonly projectionMigrations: readonly Migration[];
  /** Apps with built files. */
  readonly screens: readonly string[];
}

/** Apps that a release serves to users and to operators. */
export const SCREENS = ['terminal', 'console'] as const;

export async function readRelease(given: string): Promise<ReleaseFacts> {
  const folder = resolve(given);
  const messages = join(folder, 'core/messages/index.ts');
  if (!existsSync(messages)) {
    throw new ToolFault(`${folder} is not a Rialto release (expected core/messages in it).`);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { RULES_VERSION_MAX, RULES_VERSION_MIN, SCHEMA_VERSION } = (await import(
    pathToFileURL(messages).href
  )) as Record<string, number>;
  return {
    version,
    schemaVersion: SCHEMA_VERSION,
    rulesVersionMin: RULES_VERSION_MIN,
    rulesVersionMax: RULES_VERSION_MAX,
    registryMigrations: readMigrations(join(folder, registryFolder(folder))),
    projectionMigrations: readMigrations(join(folder, 'infra/projections/migrations')),
    screens: SCREENS.filter((app) => existsSync(join(folder, 'apps', app, 'dist/index.html'))),
  };
}

/** Releases before 0.2 have them in another folder. */
function registryFolder(release: string): string {
  const folders = ['platform/database/migrations', 'domain/migrations'];
  return folders.find((folder) => existsSync(join(release, folder))) ?? folders[0];
}
