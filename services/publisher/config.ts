// Every setting of a publisher, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import {
  type ConfigOf,
  integer,
  optional,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { PUBLISHER_DEFAULTS, type PublisherSettings } from './publisher.ts';

const defaults = PUBLISHER_DEFAULTS;

const settings = {
  ...journalSettings,
  ...serviceSettings('publisher'),
  /** A copy of the archive, for events that the log no longer holds. */
  archiveFolder: optional(text('RIALTO_ARCHIVE_FOLDER')),
  /**
   * The shortest interval between two messages of a busy market, and of its depth and mini chart.
   */
  everyMs: integer('RIALTO_FEED_EVERY_MS', { min: 1, max: 60_000, fallback: defaults.everyMs }),
  depthEveryMs: integer('RIALTO_DEPTH_EVERY_MS', {
    min: 1,
    max: 60_000,
    fallback: defaults.depthEveryMs,
  }),
  depthLevels: integer('RIALTO_DEPTH_LEVELS', {
    min: 10,
    max: 100_000,
    fallback: defaults.depthLevels,
  }),
  /** The shortest interval between two messages of a subscribed book (level 2, level 3). */
  changesEveryMs: integer('RIALTO_CHANGES_EVERY_MS', {
    min: 1,
    max: 60_000,
    fallback: defaults.changesEveryMs,
  }),
  cursorEveryMs: integer('RIALTO_CURSOR_EVERY_MS', {
    min: 1,
    max: 60_000,
    fallback: defaults.cursorEveryMs,
  }),
  /** The size of the stream that keeps user events of the last minutes for resuming clients. */
  privateBytesMax: integer('RIALTO_PRIVATE_BYTES_MAX', {
    min: 1_048_576,
    max: 1_099_511_627_776,
    fallback: 134_217_728,
  }),
  checkpointEveryMs: integer('RIALTO_CHECKPOINT_EVERY_MS', {
    min: 100,
    max: 86_400_000,
    fallback: defaults.checkpointEveryMs,
  }),
};

export type PublisherConfig = ConfigOf<typeof settings>;

export function publisherConfig(environment: NodeJS.ProcessEnv): PublisherConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: PublisherConfig): PublisherSettings {
  const { changesEveryMs, depthEveryMs, depthLevels, everyMs } = config;
  const { checkpointEveryMs, cursorEveryMs } = config;
  const intervals = { changesEveryMs, depthEveryMs, depthLevels, everyMs };
  return { ...defaults, ...intervals, checkpointEveryMs, cursorEveryMs };
}
