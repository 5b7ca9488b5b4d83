// Kill switches: what is stopped now, as every process reads it; stop and resume are actions of
// operators.

export { openSwitchBoard, SWITCH_POOL } from './open-switch-board.ts';
export { SwitchBoard } from './switch-board.ts';
export {
  areLoginsStopped,
  endSessionsOfEveryone,
  isReadOnly,
  sessionHasEnded,
} from './switches-in-force.ts';
