// Settings of a websocket gateway, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type StreamConfig = ServiceConfig<'gateway-websocket'>;

export function streamConfig(environment: NodeJS.ProcessEnv): StreamConfig {
  return readServiceConfig('gateway-websocket', environment);
}
