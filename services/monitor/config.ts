// Settings of a monitor, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type MonitorConfig = ServiceConfig<'monitor'>;

export function monitorConfig(environment: NodeJS.ProcessEnv): MonitorConfig {
  return readServiceConfig('monitor', environment);
}
