// Control run of the drill: uses as much CPU as the attackers did, at their priority, and sends
// nothing. Reads its plan from its arguments; exits when its standard input ends.

import { yieldProcessor } from './yield-processor.ts';

export interface BurnPlan {
  /** At most 1. */
  readonly cores: number;
}

const PERIOD_MS = 10;

yieldProcessor();
const { cores } = JSON.parse(process.argv[2]) as BurnPlan;
const busyMs = Math.min(cores, 1) * PERIOD_MS;
process.stdin.on('end', () => process.exit(0)).resume();

setInterval(() => {
  const untilMs = performance.now() + busyMs;
  while (performance.now() < untilMs);
}, PERIOD_MS);
