// Starts the HTTP gateway. Exit codes: see infra/process/README.md. It can be restarted at any
// time.

import { runService } from '../../infra/process/index.ts';
import { startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

await runService({
  service: 'gateway-http',
  readConfig: gatewayConfig,
  start: ({ config, log }) => startGateway(config, log),
});
