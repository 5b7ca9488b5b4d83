// Orders commands, stores them in the log, and applies them. This surface is for code that runs
// sequencers without a process: the simulator and tests.

export { GENESIS_LIMITS, genesisFrame } from './genesis.ts';
export { HeartbeatRepeater } from './heartbeat-repeater.ts';
export { Sequencer } from './sequencer.ts';
export {
  SEQUENCER_DEFAULTS,
  type SequencerEnd,
  type SequencerSettings,
} from './sequencer-options.ts';
export { StateHashes } from './state-hashes.ts';
export type { SequencerWatcher } from './watcher.ts';
