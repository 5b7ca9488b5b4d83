// The gateway-http as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

export const service = defineService({
  service: 'gateway-http',
  readConfig: gatewayConfig,
  start: ({ config, log }) => startGateway(config, log),
});
