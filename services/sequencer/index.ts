// Sequencer: puts commands into one order, has the log keep them, and applies them. This surface is
// for those who run sequencers without a process: the simulator and tests.

export * from './genesis.ts';
export * from './sequencer.ts';
export * from './watcher.ts';
