// Starts the websocket gateway. Exit codes: see infra/process/README.md. It can be restarted at any
// time.

import { runService } from '../../infra/process/index.ts';
import { startStream } from './app.ts';
import { streamConfig } from './config.ts';

await runService({
  service: 'gateway-websocket',
  readConfig: streamConfig,
  start: ({ config, log }) => startStream(config, log),
});
