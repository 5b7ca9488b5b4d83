// Actions of operators in kill-switches.

export { KILL_SWITCHES_ACTS } from './acts.ts';
