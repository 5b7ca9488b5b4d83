// Actions of operators in kill-switches.

export { readHeldAccounts } from './account-stops.ts';
export { REMOVE_BANNER, SET_BANNER } from './banners.ts';
export { readImpact } from './impact.ts';
export { RESUME, STOP } from './stop-and-resume.ts';
export { objectsOf, type ResumeOrder, type StopOrder, type SwitchTarget } from './switch-target.ts';
export { readSwitches, type Stop, SWITCH_NAMES, type Switches } from './switches.ts';
