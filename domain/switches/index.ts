// Kill switches: acts that stop and resume parts of the exchange, and the switches in force.

import { REMOVE_BANNER, SET_BANNER } from './banner-acts.ts';
import { RESUME, STOP } from './switch-acts.ts';

export { readHeldAccounts } from './account-stops.ts';
export { REMOVE_BANNER, SET_BANNER } from './banner-acts.ts';
export { readImpact } from './impact.ts';
export { RESUME, STOP } from './switch-acts.ts';
export {
  objectsOf,
  type ResumeOrder,
  type StopOrder,
  type SwitchTarget,
} from './switch-target.ts';
export { readSwitches, type Stop, SWITCH_NAMES, type Switches } from './switches.ts';

export const SWITCH_ACTS = [STOP, RESUME, SET_BANNER, REMOVE_BANNER] as const;
