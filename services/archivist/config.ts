// Settings of an archivist, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import { ARCHIVIST_DEFAULTS, type ArchivistSettings } from './archivist.ts';
import type { TrimSettings } from './trimmer.ts';

export type ArchivistConfig = ServiceConfig<'archivist'>;

export function archivistConfig(environment: NodeJS.ProcessEnv): ArchivistConfig {
  return readServiceConfig('archivist', environment);
}

export function settingsOf(config: ArchivistConfig): ArchivistSettings {
  const { segmentEveryMs, snapshotEveryFrames, snapshotEveryMs } = config;
  return { ...ARCHIVIST_DEFAULTS, segmentEveryMs, snapshotEveryFrames, snapshotEveryMs };
}

export function trimSettingsOf(config: ArchivistConfig): TrimSettings {
  const { commandsKeptMs, eventsKeptMs, followersWaitMs, trimEveryMs } = config;
  const marginFrames = config.trimMarginFrames;
  return { commandsKeptMs, eventsKeptMs, followersWaitMs, marginFrames, trimEveryMs };
}
