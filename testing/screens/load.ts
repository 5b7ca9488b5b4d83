// Measures machine load. Wall-clock limits are extended on a busy machine, and figures are reported
// with the load average.

import { availableParallelism, loadavg } from 'node:os';

export function loadAverage(): number {
  return Number(loadavg()[0].toFixed(1));
}

/** Extends a limit for a quiet machine in proportion to the processes queued for cores. */
export function withSlack(limitMs: number): number {
  return limitMs * Math.max(1, loadAverage() / availableParallelism());
}
