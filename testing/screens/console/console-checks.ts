// All console checks, in the order in which they run.

import type { ConsoleCheck } from './console-stage.ts';
import { deskActs } from './desk-acts.ts';
import { incidentDrill } from './incident-drill.ts';
import { marketActs } from './market-acts.ts';
import { moneyActs } from './money-acts.ts';
import { peopleActs } from './people-acts.ts';
import { rolesSeen } from './roles-seen.ts';
import { screensSeen } from './screens-seen.ts';
import { settingsActs } from './settings-acts.ts';
import { setupActs } from './setup-acts.ts';
import { stakingActs } from './staking-acts.ts';

export const CONSOLE_CHECKS: readonly ConsoleCheck[] = [
  ...moneyActs,
  ...peopleActs,
  ...marketActs,
  ...deskActs,
  ...settingsActs,
  ...setupActs,
  ...stakingActs,
  ...rolesSeen,
  ...screensSeen,
  ...incidentDrill,
];
