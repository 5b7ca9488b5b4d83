// Every setting of a worker, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import { type ConfigOf, integer, readConfig, serviceSettings } from '../../infra/process/index.ts';
import { registrySettings } from '../../infra/registry/index.ts';
import { WORKER_DEFAULTS, type WorkerSettings } from './worker.ts';

const defaults = WORKER_DEFAULTS;

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...serviceSettings('worker'),
  perChannelMax: integer('RIALTO_WORKER_PER_CHANNEL', {
    min: 1,
    max: 1_024,
    fallback: defaults.perChannelMax,
  }),
  answerMs: integer('RIALTO_WORKER_ANSWER_MS', {
    min: 100,
    max: 600_000,
    fallback: defaults.answerMs,
  }),
  pollMs: integer('RIALTO_WORKER_POLL_MS', { min: 10, max: 60_000, fallback: defaults.pollMs }),
};

export type WorkerConfig = ConfigOf<typeof settings>;

export function workerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return readConfig(environment, settings);
}

export function settingsOf({ answerMs, perChannelMax, pollMs }: WorkerConfig): WorkerSettings {
  return { ...defaults, answerMs, perChannelMax, pollMs };
}
