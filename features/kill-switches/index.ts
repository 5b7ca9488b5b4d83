// Kill switches: the active stops, as every process reads them. Stop and resume are operator
// actions.

export { openSwitchBoard, SWITCH_POOL } from './open-switch-board.ts';
export { SwitchBoard } from './switch-board.ts';
export {
  areLoginsStopped,
  endSessionsOfEveryone,
  isReadOnly,
  readStoppedDeposits,
  sessionHasEnded,
} from './switches-in-force.ts';
