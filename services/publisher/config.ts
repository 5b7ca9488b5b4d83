// Settings of a publisher, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import { PUBLISHER_DEFAULTS, type PublisherSettings } from './publisher.ts';

export type PublisherConfig = ServiceConfig<'publisher'>;

export function publisherConfig(environment: NodeJS.ProcessEnv): PublisherConfig {
  return readServiceConfig('publisher', environment);
}

export function settingsOf(config: PublisherConfig): PublisherSettings {
  const { changesEveryMs, depthEveryMs, depthLevels, feedEveryMs: everyMs } = config;
  const { checkpointEveryMs, cursorEveryMs } = config;
  const intervals = { changesEveryMs, depthEveryMs, depthLevels, everyMs };
  return { ...PUBLISHER_DEFAULTS, ...intervals, checkpointEveryMs, cursorEveryMs };
}
