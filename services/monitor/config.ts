// Every setting of a monitor, read from the environment.

import { registrySettings } from '../../domain/migrations/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  type ConfigOf,
  integer,
  list,
  readConfig,
  serviceSettings,
} from '../../infra/process/index.ts';

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...serviceSettings('monitor'),
  /** Certificates whose end it watches: files in PEM, and servers as `host:port`. */
  certificates: list('RIALTO_MONITOR_CERTIFICATES', {
    fallback: [],
    of: 'files and host:port',
  }),
  /** Folders of its host whose free space it watches. */
  disks: list('RIALTO_MONITOR_DISKS', { fallback: [], of: 'folders' }),
  /** How often it sums all balances. */
  ledgerEveryMs: integer('RIALTO_MONITOR_LEDGER_EVERY_MS', {
    min: 1_000,
    max: 86_400_000,
    fallback: 60_000,
  }),
};

export type MonitorConfig = ConfigOf<typeof settings>;

export function monitorConfig(environment: NodeJS.ProcessEnv): MonitorConfig {
  return readConfig(environment, settings);
}
