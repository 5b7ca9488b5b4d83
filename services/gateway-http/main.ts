// An HTTP gateway process. Ends with 0 when asked; it may always be started again.

import { createLogger, stopOnSignals } from '../../infra/process/index.ts';
import { type GatewayApp, startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

const config = gatewayConfig(process.env);
const log = createLogger({
  service: 'gateway-http',
  instance: config.instance,
  level: config.logLevel,
});
let app: GatewayApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startGateway(config, log);
log.info({ url: app.url, healthPort: app.healthPort }, 'started');
