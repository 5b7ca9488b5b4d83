// Operator actions for kill-switches.

export { KILL_SWITCHES_ACTS } from './acts.ts';
