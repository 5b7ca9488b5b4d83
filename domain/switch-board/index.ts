// The kill switches that processes enforce: how they reach each process, and what they forbid.

export { openSwitchBoard, SWITCH_POOL } from './open-switch-board.ts';
export { SwitchBoard } from './switch-board.ts';
export {
  areLoginsStopped,
  endSessionsOfEveryone,
  INTAKE_SERVICES,
  type IntakeService,
  isReadOnly,
  readSwitchVersion,
  sessionHasEnded,
} from './switches-in-force.ts';
