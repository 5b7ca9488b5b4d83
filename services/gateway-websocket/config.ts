// The settings of a websocket gateway; infra/settings has their table.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type StreamConfig = ServiceConfig<'gateway-websocket'>;

export function streamConfig(environment: NodeJS.ProcessEnv): StreamConfig {
  return readServiceConfig('gateway-websocket', environment);
}
