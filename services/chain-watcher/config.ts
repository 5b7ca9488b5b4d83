// Settings of a chain watcher, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type ChainWatcherConfig = ServiceConfig<'chain-watcher'>;

export function chainWatcherConfig(environment: NodeJS.ProcessEnv): ChainWatcherConfig {
  return readServiceConfig('chain-watcher', environment);
}
