// Settings of a projector, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import { PROJECTOR_DEFAULTS, type ProjectorSettings } from './projector.ts';

export type ProjectorConfig = ServiceConfig<'projector'>;

export function projectorConfig(environment: NodeJS.ProcessEnv): ProjectorConfig {
  return readServiceConfig('projector', environment);
}

export function settingsOf(config: ProjectorConfig): ProjectorSettings {
  const { batchEventsMax, ordersPerPartition } = config;
  return { ...PROJECTOR_DEFAULTS, batchEventsMax, ordersPerPartition };
}
