// Sequencer: puts commands into one order, has the log keep them, and applies them. This surface is
// for those who run sequencers without a process: the simulator and tests.

export { GENESIS_LIMITS } from './genesis.ts';
export {
  SEQUENCER_DEFAULTS,
  Sequencer,
  type SequencerEnd,
  type SequencerSettings,
} from './sequencer.ts';
export type { SequencerWatcher } from './watcher.ts';
