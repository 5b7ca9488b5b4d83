// Every setting of a dispatcher, read from the environment.

import { registrySettings } from '../../domain/migrations/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import { type ConfigOf, integer, readConfig, serviceSettings } from '../../infra/process/index.ts';
import { DISPATCHER_DEFAULTS, type DispatcherSettings } from './outbox-dispatcher.ts';

const defaults = DISPATCHER_DEFAULTS;

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...serviceSettings('outbox-dispatcher'),
  perChannelMax: integer('RIALTO_OUTBOX_PER_CHANNEL', {
    min: 1,
    max: 1_024,
    fallback: defaults.perChannelMax,
  }),
  answerMs: integer('RIALTO_OUTBOX_ANSWER_MS', {
    min: 100,
    max: 600_000,
    fallback: defaults.answerMs,
  }),
  pollMs: integer('RIALTO_OUTBOX_POLL_MS', { min: 10, max: 60_000, fallback: defaults.pollMs }),
};

export type DispatcherConfig = ConfigOf<typeof settings>;

export function dispatcherConfig(environment: NodeJS.ProcessEnv): DispatcherConfig {
  return readConfig(environment, settings);
}

export function settingsOf({
  answerMs,
  perChannelMax,
  pollMs,
}: DispatcherConfig): DispatcherSettings {
  return { ...defaults, answerMs, perChannelMax, pollMs };
}
