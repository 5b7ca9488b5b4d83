// The settings of a projector, read from environment variables.

import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  type ConfigOf,
  integer,
  optional,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { PROJECTOR_DEFAULTS, type ProjectorSettings } from './projector.ts';

const defaults = PROJECTOR_DEFAULTS;

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...serviceSettings('projector'),
  /** A copy of the archive, for events that the log no longer holds. */
  archiveFolder: optional(text('RIALTO_ARCHIVE_FOLDER')),
  /** `/ready` fails if the tables are further behind than this. */
  lagMsMax: integer('RIALTO_PROJECTOR_LAG_MS_MAX', { min: 1, max: 86_400_000, fallback: 10_000 }),
  batchEventsMax: integer('RIALTO_PROJECTOR_BATCH_EVENTS', {
    min: 1,
    max: 1_000_000,
    fallback: defaults.batchEventsMax,
  }),
  /** For a fresh schema. An existing schema keeps its number. */
  ordersPerPartition: integer('RIALTO_PROJECTOR_ORDERS_PER_PARTITION', {
    min: 1_000,
    max: 1_000_000_000,
    fallback: defaults.ordersPerPartition,
  }),
};

export type ProjectorConfig = ConfigOf<typeof settings>;

export function projectorConfig(environment: NodeJS.ProcessEnv): ProjectorConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: ProjectorConfig): ProjectorSettings {
  const { batchEventsMax, ordersPerPartition } = config;
  return { ...defaults, batchEventsMax, ordersPerPartition };
}
