// The settings that every service has: the name of the instance, its commit, the log level, the
// address of the health server and the time limit for an orderly stop.

import { integer, oneOf, optional, port, text } from './config.ts';
import { LOG_LEVELS } from './logger.ts';

/** `service` names the program; each process of it has its own instance name. */
export function serviceSettings(service: string) {
  return {
    instance: text('RIALTO_INSTANCE', { fallback: `${service}-${process.pid}` }),
    /** The commit of this build, as health shows it; a working copy asks git. */
    commit: optional(text('RIALTO_COMMIT')),
    logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
    healthHost: text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: port('RIALTO_HEALTH_PORT', 0),
    stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  };
}
