// Every setting of a publisher, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import {
  type ConfigOf,
  integer,
  LOG_LEVELS,
  oneOf,
  port,
  readConfig,
  text,
} from '../../infra/process/index.ts';
import { PUBLISHER_DEFAULTS, type PublisherSettings } from './publisher.ts';

const defaults = PUBLISHER_DEFAULTS;

const settings = {
  ...journalSettings,
  instance: text('RIALTO_INSTANCE', { fallback: `publisher-${process.pid}` }),
  logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
  healthHost: text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }),
  healthPort: port('RIALTO_HEALTH_PORT', 0),
  stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  /** A busy market is sent at most so often; its depth and mini chart at most so often. */
  everyMs: integer('RIALTO_FEED_EVERY_MS', {
    ...{ min: 1, max: 60_000, fallback: defaults.everyMs },
  }),
  depthEveryMs: integer('RIALTO_DEPTH_EVERY_MS', {
    ...{ min: 1, max: 60_000, fallback: defaults.depthEveryMs },
  }),
  depthLevels: integer('RIALTO_DEPTH_LEVELS', {
    ...{ min: 10, max: 100_000, fallback: defaults.depthLevels },
  }),
  cursorEveryMs: integer('RIALTO_CURSOR_EVERY_MS', {
    ...{ min: 1, max: 60_000, fallback: defaults.cursorEveryMs },
  }),
  checkpointEveryMs: integer('RIALTO_CHECKPOINT_EVERY_MS', {
    ...{ min: 100, max: 86_400_000, fallback: defaults.checkpointEveryMs },
  }),
};

export type PublisherConfig = ConfigOf<typeof settings>;

export function publisherConfig(environment: NodeJS.ProcessEnv): PublisherConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: PublisherConfig): PublisherSettings {
  const { checkpointEveryMs, cursorEveryMs, depthEveryMs, depthLevels, everyMs } = config;
  const asked = { checkpointEveryMs, cursorEveryMs, depthEveryMs, depthLevels, everyMs };
  return { ...defaults, ...asked };
}
