// Kill switches: acts that stop and resume parts of the exchange, and the switches in force.

import {
  REMOVE_BANNER,
  RESUME,
  SET_BANNER,
  STOP,
} from '../../features/kill-switches/admin/index.ts';

export {
  objectsOf,
  REMOVE_BANNER,
  RESUME,
  type ResumeOrder,
  readHeldAccounts,
  readImpact,
  readSwitches,
  SET_BANNER,
  STOP,
  type Stop,
  type StopOrder,
  SWITCH_NAMES,
  type Switches,
  type SwitchTarget,
} from '../../features/kill-switches/admin/index.ts';

export const SWITCH_ACTS = [STOP, RESUME, SET_BANNER, REMOVE_BANNER] as const;
