// Settings of a dispatcher, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import { DISPATCHER_DEFAULTS, type DispatcherSettings } from './outbox-dispatcher.ts';

export type DispatcherConfig = ServiceConfig<'outbox-dispatcher'>;

export function dispatcherConfig(environment: NodeJS.ProcessEnv): DispatcherConfig {
  return readServiceConfig('outbox-dispatcher', environment);
}

export function settingsOf(config: DispatcherConfig): DispatcherSettings {
  const { answerMs, perChannelMax, pollMs } = config;
  return { ...DISPATCHER_DEFAULTS, answerMs, perChannelMax, pollMs };
}
