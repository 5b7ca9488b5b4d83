// The settings that every service has: its name, what it logs, where it is asked for its health,
// and how long it may take to stop.

import { integer, oneOf, port, text } from './config.ts';
import { LOG_LEVELS } from './logger.ts';

/** `service` is the kind of process; the instance is different for each of them. */
export function serviceSettings(service: string) {
  return {
    instance: text('RIALTO_INSTANCE', { fallback: `${service}-${process.pid}` }),
    logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
    healthHost: text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: port('RIALTO_HEALTH_PORT', 0),
    stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  };
}
