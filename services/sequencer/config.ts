// The settings of a sequencer, read from the environment.

import { journalSettings } from '../../infra/journal/index.ts';
import {
  type ConfigOf,
  integer,
  optional,
  port,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { SEQUENCER_DEFAULTS, type SequencerSettings } from './sequencer.ts';

const defaults = SEQUENCER_DEFAULTS;

const settings = {
  ...journalSettings,
  ...serviceSettings('sequencer'),
  linkListenHost: text('RIALTO_LINK_LISTEN_HOST', { fallback: '127.0.0.1' }),
  linkPort: port('RIALTO_LINK_PORT', 0),
  linkHost: optional(text('RIALTO_LINK_HOST')),
  /** The certificate of the link server and its key; required if it listens beyond this machine. */
  linkCertificateFile: optional(
    text('RIALTO_LINK_CERTIFICATE_FILE', { expected: 'the path of a PEM file' }),
  ),
  linkKeyFile: optional(text('RIALTO_LINK_KEY_FILE', { expected: 'the path of a PEM file' })),
  /** The public keys of all identities, for the link; required in production. */
  identitiesFile: optional(
    text('RIALTO_IDENTITIES_FILE', { expected: 'the path of a file with public keys' }),
  ),
  heartbeatMs: integer('RIALTO_HEARTBEAT_MS', {
    min: 10,
    max: 10_000,
    fallback: defaults.heartbeatMs,
  }),
  takeoverAfterMs: integer('RIALTO_TAKEOVER_AFTER_MS', {
    min: 100,
    max: 60_000,
    fallback: defaults.takeoverAfterMs,
  }),
  /** A leader that is busy with one frame for longer is hung, and a standby takes over. */
  frameMsMax: integer('RIALTO_FRAME_MS_MAX', { min: 100, max: 600_000, fallback: 5_000 }),
};

export type SequencerConfig = ConfigOf<typeof settings>;

export function sequencerConfig(environment: NodeJS.ProcessEnv): SequencerConfig {
  return readConfig(environment, settings);
}

export function settingsOf(config: SequencerConfig): SequencerSettings {
  const { heartbeatMs, takeoverAfterMs } = config;
  return { ...defaults, heartbeatMs, takeoverAfterMs };
}
