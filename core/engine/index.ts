// Engine: an exchange as a pure function from frames of commands to frames of events, with a state
// that can be hashed, saved and restored. No clock, no randomness, no I/O.

export { applyFrame } from './apply-frame.ts';
export { auditExchange } from './audit.ts';
export { createExchange } from './create-exchange.ts';
export type { Exchange } from './exchange.ts';
export { PoisonFault, SWITCHES_STEP, timeStepNumber } from './poison.ts';
export { ExchangeRestoration, restoreExchange } from './restore.ts';
export { RulesVersionFault } from './rules-version.ts';
export {
  hashExchange,
  SNAPSHOT_CHUNK_BYTES,
  SnapshotHash,
  snapshotChunks,
  snapshotExchange,
} from './snapshot.ts';
export { StateSampler } from './state-sampler.ts';
export {
  type AccountView,
  accountsOf,
  bookOf,
  lastPriceTicks,
  type OpenOrderView,
  openOrdersOf,
  wakesAtMs,
} from './views.ts';
