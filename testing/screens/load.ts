// How busy the machine is: limits in wall-clock time give way on a busy one, and figures are
// reported with it.

import { availableParallelism, loadavg } from 'node:os';

export function loadAverage(): number {
  return Number(loadavg()[0].toFixed(1));
}

/** A limit that holds on a quiet machine, longer in proportion where processes wait for cores. */
export function withSlack(limitMs: number): number {
  return limitMs * Math.max(1, loadAverage() / availableParallelism());
}
