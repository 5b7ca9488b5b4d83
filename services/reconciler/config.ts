// Every setting of a reconciler, read from the environment.

import { registrySettings } from '../../domain/migrations/index.ts';
import { accessSettings } from '../../domain/vault/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import { type ConfigOf, integer, readConfig, serviceSettings } from '../../infra/process/index.ts';

const { accessKey, accessKeyFile } = accessSettings;

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...serviceSettings('reconciler'),
  accessKey,
  accessKeyFile,
  /** The pause between two rounds. */
  everyMs: integer('RIALTO_RECONCILE_EVERY_MS', { min: 100, max: 600_000, fallback: 2_000 }),
  /** Rows that a check reads at most in a round. */
  rowsMax: integer('RIALTO_RECONCILE_ROWS', { min: 100, max: 1_000_000, fallback: 100_000 }),
};

export type ReconcilerConfig = ConfigOf<typeof settings>;

export function reconcilerConfig(environment: NodeJS.ProcessEnv): ReconcilerConfig {
  return readConfig(environment, settings);
}
