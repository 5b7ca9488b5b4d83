// Process: what every service shares of the machine, and nothing of the exchange. Time, the
// environment, the log, metrics, health and the end of a process.

export { type Clock, systemClock, type Timer } from './clock.ts';
export {
  type ConfigOf,
  integer,
  list,
  oneOf,
  optional,
  port,
  readConfig,
  type Setting,
  secret,
  text,
} from './config.ts';
export { createHealthServer } from './health-server.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { Secret } from './secret.ts';
export { serviceSettings } from './service-settings.ts';
export { stopOnSignals } from './stop.ts';
