// Checks of the outbox: which role may ask the engine for what, and the limits of withdrawals, as
// the dispatcher enforces them whatever a gateway has written.

export { type CheckOptions, checkRows } from './check-rows.ts';
