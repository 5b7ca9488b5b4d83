// The settings of an archivist, read from environment variables.

import { journalSettings } from '../../infra/journal/index.ts';
import {
  type ConfigOf,
  integer,
  list,
  optional,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { ARCHIVIST_DEFAULTS, type ArchivistSettings } from './archivist.ts';
import { TRIM_DEFAULTS, type TrimSettings } from './trimmer.ts';

const defaults = ARCHIVIST_DEFAULTS;

const settings = {
  ...journalSettings,
  ...serviceSettings('archivist'),
  /** The folder of the segments; snapshots go to a subfolder. */
  archiveFolder: text('RIALTO_ARCHIVE_FOLDER'),
  segmentEveryMs: integer('RIALTO_SEGMENT_EVERY_MS', {
    min: 100,
    max: 86_400_000,
    fallback: defaults.segmentEveryMs,
  }),
  snapshotEveryMs: integer('RIALTO_SNAPSHOT_EVERY_MS', {
    min: 100,
    max: 86_400_000,
    fallback: defaults.snapshotEveryMs,
  }),
  snapshotEveryFrames: integer('RIALTO_SNAPSHOT_EVERY_FRAMES', {
    min: 1,
    max: 1_000_000_000,
    fallback: defaults.snapshotEveryFrames,
  }),
  /** A second copy of the segments, on another disk. Without it the log is never trimmed. */
  archiveCopyFolder: optional(text('RIALTO_ARCHIVE_COPY_FOLDER')),
  trimEveryMs: duration('RIALTO_TRIM_EVERY_MS', TRIM_DEFAULTS.trimEveryMs),
  /** Younger frames and events stay in the log. */
  commandsKeptMs: duration('RIALTO_COMMANDS_KEPT_MS', TRIM_DEFAULTS.commandsKeptMs),
  eventsKeptMs: duration('RIALTO_EVENTS_KEPT_MS', TRIM_DEFAULTS.eventsKeptMs),
  /** The log waits this long for these services. */
  followersWaitMs: duration('RIALTO_FOLLOWERS_WAIT_MS', TRIM_DEFAULTS.followersWaitMs),
  trimFollowers: list('RIALTO_TRIM_FOLLOWERS', {
    fallback: ['projector', 'publisher', 'outbox-dispatcher'],
    of: 'services',
  }),
  trimMarginFrames: integer('RIALTO_TRIM_MARGIN_FRAMES', {
    min: 1,
    max: 1_000_000_000,
    fallback: TRIM_DEFAULTS.marginFrames,
  }),
};

function duration(name: string, fallback: number) {
  return integer(name, { min: 100, max: 365 * 86_400_000, fallback });
}

export type ArchivistConfig = ConfigOf<typeof settings>;

export function archivistConfig(environment: NodeJS.ProcessEnv): ArchivistConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: ArchivistConfig): ArchivistSettings {
  const { segmentEveryMs, snapshotEveryFrames, snapshotEveryMs } = config;
  return { ...defaults, segmentEveryMs, snapshotEveryFrames, snapshotEveryMs };
}

export function trimSettingsOf(config: ArchivistConfig): TrimSettings {
  const { commandsKeptMs, eventsKeptMs, followersWaitMs, trimEveryMs } = config;
  const marginFrames = config.trimMarginFrames;
  return { commandsKeptMs, eventsKeptMs, followersWaitMs, marginFrames, trimEveryMs };
}
