// Kill switches: acts that stop and resume parts of the exchange, and the switches in force.

import { RESUME, STOP } from './switch-acts.ts';

export { RESUME, STOP, type SwitchTarget } from './switch-acts.ts';
export {
  BANNER_KINDS,
  type Banner,
  type BannerKind,
  isStopped,
  readSwitches,
  type Stop,
  SWITCH_NAMES,
  type Switches,
  type SwitchName,
} from './switches.ts';

export const SWITCH_ACTS = [STOP, RESUME] as const;
