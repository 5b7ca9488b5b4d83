// Engine: an exchange as a pure function. Frames of commands in, frames of events out, and a
// state that can be hashed, written down and restored. No clock, no chance, no input or output.

export { applyFrame } from './apply-frame.ts';
export { auditExchange } from './audit.ts';
export { createExchange, type Exchange } from './exchange.ts';
export { PoisonFault, SWITCHES_STEP, timeStepNumber } from './poison.ts';
export { restoreExchange } from './restore.ts';
export { hashExchange, hashSnapshot, snapshotExchange } from './snapshot.ts';
export { type AccountView, accountsOf, bookOf, lastPriceTicks, wakesAtMs } from './views.ts';
