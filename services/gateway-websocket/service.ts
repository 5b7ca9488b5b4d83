// The gateway-websocket as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startStream } from './app.ts';
import { streamConfig } from './config.ts';

export const service = defineService({
  service: 'gateway-websocket',
  readConfig: streamConfig,
  start: ({ config, log }) => startStream(config, log),
});
