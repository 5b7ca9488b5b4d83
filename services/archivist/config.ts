// The settings of an archivist, read from environment variables.

import { journalSettings } from '../../infra/journal/index.ts';
import {
  type ConfigOf,
  integer,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { ARCHIVIST_DEFAULTS, type ArchivistSettings } from './archivist.ts';

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
};

export type ArchivistConfig = ConfigOf<typeof settings>;

export function archivistConfig(environment: NodeJS.ProcessEnv): ArchivistConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: ArchivistConfig): ArchivistSettings {
  const { segmentEveryMs, snapshotEveryFrames, snapshotEveryMs } = config;
  return { ...defaults, segmentEveryMs, snapshotEveryFrames, snapshotEveryMs };
}
