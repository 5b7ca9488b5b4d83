// Severe faults of the machines below the log: real partitions between its servers, in one or both
// directions, a stopped majority, frozen disks, and wrong clocks. Uses real processes, and measures
// the longest time without an acknowledgment for each fault.

import { checkLog } from '../harness/check-log.ts';
import { strikeFaults } from '../harness/strike-faults.ts';
import { FAULTS } from './faults.ts';
import { PartitionStage } from './partition-stage.ts';

/** No clock can move the frame time further than the duration of an outage. */
const STEP_MS_MAX = 120_000;

/** A quick run stages only the first fault. */
export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const stage = new PartitionStage();
  try {
    await stage.open();
    stage.prober.start();
    const struck = await strikeFaults(stage, quick ? FAULTS.slice(0, 1) : FAULTS, { quick });
    await stage.prober.finish();
    const checked = await checkLog(stage);
    const late = struck.filter(({ fault, gapMs, ownMs }) => gapMs - ownMs > fault.boundMs);
    const isWrong =
      checked.lost + checked.doubled + late.length > 0 || checked.stepMs > STEP_MS_MAX;
    if (isWrong) process.exitCode = 1;
    const leftOut = FAULTS.length - struck.length;
    const results = struck.map(({ fault: { boundMs, name }, ...rest }) => ({
      name,
      boundMs,
      ...rest,
    }));
    return { faults: struck.length, leftOut, late: late.length, ...checked, results };
  } finally {
    await stage.close();
  }
}
