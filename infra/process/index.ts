// Process: the machine's side of every service: time, configuration, log, metrics, health,
// start-up, retries and shutdown. It knows nothing about the exchange.

export { type BuildInfo, readBuildInfo } from './build-info.ts';
export { type Clock, PAUSE_MS_MAX, systemClock, type Timer } from './clock.ts';
export {
  ConfigFault,
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
export { describeFault } from './describe-fault.ts';
export { type EventLoopWatch, watchEventLoop } from './event-loop.ts';
export { createHealthServer, type Readiness } from './health-server.ts';
export { createLogger, LOG_LEVELS, type Logger } from './logger.ts';
export { isLoopback } from './loopback.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { lowerPriority } from './process-priority.ts';
export { RetryLoop } from './retry-loop.ts';
export {
  defineService,
  EXIT_CONFIGURATION,
  EXIT_SUPERSEDED,
  runService,
  runServices,
  type Service,
  type ServiceRun,
} from './run-service.ts';
export { Secret } from './secret.ts';
