// A websocket gateway process. Ends with 0 when asked; it may always be started again.

import { createLogger, stopOnSignals } from '../../infra/process/index.ts';
import { type StreamApp, startStream } from './app.ts';
import { streamConfig } from './config.ts';

const config = streamConfig(process.env);
const log = createLogger({
  service: 'gateway-websocket',
  instance: config.instance,
  level: config.logLevel,
});
let app: StreamApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startStream(config, log);
log.info({ url: app.url, healthPort: app.healthPort }, 'started');
