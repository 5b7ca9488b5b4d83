// Measures one workload on two trees in one process: short windows of the same work in ABBA order,
// so a slow moment on the machine affects both sides alike.

import type { Workload } from './workload.ts';

export interface Pair {
  readonly current: Workload;
  readonly base: Workload;
}

/** Warm-up windows that do not count, while the compiler optimizes both sides. */
const WARM_UP_WINDOWS = 120;

/** The two sides did different work, so their times cannot be compared. */
export class DifferentWork extends Error {
  override readonly name = 'DifferentWork';
}

/** Returns the ratio of processor time per unit, current to base, for every window. */
export async function measurePair({ base, current }: Pair, windows: number): Promise<number[]> {
  const ratios: number[] = [];
  const perPass = Math.min(base.windows, current.windows);
  for (let at = 0; at < WARM_UP_WINDOWS + windows; at++) {
    const window = at % perPass;
    if (window === 0) {
      await base.restart();
      await current.restart();
    }
    const isBaseFirst = at % 2 === 0;
    const early = await timeWindow(isBaseFirst ? base : current, window);
    const late = await timeWindow(isBaseFirst ? current : base, window);
    const [ofBase, ofCurrent] = isBaseFirst ? [early, late] : [late, early];
    if (ofBase.units !== ofCurrent.units) {
      const units = `${ofCurrent.units} units instead of ${ofBase.units}`;
      throw new DifferentWork(`window ${window} has ${units}`);
    }
    if (at >= WARM_UP_WINDOWS) ratios.push(ofCurrent.microseconds / ofBase.microseconds);
  }
  return ratios;
}

async function timeWindow(
  workload: Workload,
  window: number,
): Promise<{ units: number; microseconds: number }> {
  const before = process.cpuUsage();
  const units = await workload.run(window);
  // Each side pays for its own garbage, not the side in whose window the memory runs full.
  globalThis.gc?.({ type: 'minor' });
  const { system, user } = process.cpuUsage(before);
  return { units, microseconds: user + system };
}
