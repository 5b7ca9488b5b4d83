// Settings of a sequencer, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import { SEQUENCER_DEFAULTS, type SequencerSettings } from './sequencer-options.ts';

export type SequencerConfig = ServiceConfig<'sequencer'>;

export function sequencerConfig(environment: NodeJS.ProcessEnv): SequencerConfig {
  return readServiceConfig('sequencer', environment);
}

export function settingsOf(config: SequencerConfig): SequencerSettings {
  const { frameGapMs, heartbeatMs, takeoverAfterMs } = config;
  return { ...SEQUENCER_DEFAULTS, frameGapMs, heartbeatMs, takeoverAfterMs };
}
