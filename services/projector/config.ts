// Every setting of a projector, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  type ConfigOf,
  integer,
  LOG_LEVELS,
  oneOf,
  port,
  readConfig,
  text,
} from '../../infra/process/index.ts';
import { PROJECTOR_DEFAULTS, type ProjectorSettings } from './projector.ts';

const defaults = PROJECTOR_DEFAULTS;

const settings = {
  ...journalSettings,
  ...postgresSettings,
  instance: text('RIALTO_INSTANCE', { fallback: `projector-${process.pid}` }),
  logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
  healthHost: text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }),
  healthPort: port('RIALTO_HEALTH_PORT', 0),
  stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  /** It is not ready when the tables are further behind than this. */
  lagMsMax: integer('RIALTO_PROJECTOR_LAG_MS_MAX', { min: 1, max: 86_400_000, fallback: 10_000 }),
  batchEventsMax: integer('RIALTO_PROJECTOR_BATCH_EVENTS', {
    ...{ min: 1, max: 1_000_000, fallback: defaults.batchEventsMax },
  }),
  /** Of a fresh schema. A schema that has one keeps it. */
  ordersPerPartition: integer('RIALTO_PROJECTOR_ORDERS_PER_PARTITION', {
    ...{ min: 1_000, max: 1_000_000_000, fallback: defaults.ordersPerPartition },
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
