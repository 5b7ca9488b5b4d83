// The settings that every service has: the name of the instance, its commit, the log level, the
// address of the health server and the time limit for an orderly stop.

import { randomBytes } from 'node:crypto';
import { integer, oneOf, optional, port, text } from './config.ts';
import { LOG_LEVELS } from './logger.ts';

const RANDOM_BYTES = 4;
const DEFAULT_SUFFIX = /^-[0-9a-f]{8}$/;

/**
 * `service` names the program. The default name of an instance is random: in containers every
 * process has the number 1.
 */
export function serviceSettings(service: string) {
  return {
    instance: text('RIALTO_INSTANCE', {
      fallback: `${service}-${randomBytes(RANDOM_BYTES).toString('hex')}`,
    }),
    /** The commit of this build, as health shows it; a working copy asks git. */
    commit: optional(text('RIALTO_COMMIT')),
    logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
    healthHost: text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: port('RIALTO_HEALTH_PORT', 0),
    stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  };
}

/** The operator gave the instance no name: the next process will have another one. */
export function isDefaultInstance({ instance, service }: InstanceOfService): boolean {
  const suffix = instance.slice(service.length);
  return instance.startsWith(service) && DEFAULT_SUFFIX.test(suffix);
}

interface InstanceOfService {
  readonly service: string;
  readonly instance: string;
}
