// Every setting of a publisher, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import { type ConfigOf, integer, readConfig, serviceSettings } from '../../infra/process/index.ts';
import { PUBLISHER_DEFAULTS, type PublisherSettings } from './publisher.ts';

const defaults = PUBLISHER_DEFAULTS;

const settings = {
  ...journalSettings,
  ...serviceSettings('publisher'),
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
