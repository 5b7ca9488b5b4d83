// The HTTP gateway process. Exit codes: see infra/process/README.md. It may always be restarted.

import { runService } from '../../infra/process/index.ts';
import { startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

await runService({
  service: 'gateway-http',
  readConfig: gatewayConfig,
  start: ({ config, log }) => startGateway(config, log),
});
