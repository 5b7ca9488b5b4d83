// Harsh faults of the machines below the log: real partitions between its servers, in both
// directions and in one, a stopped majority, frozen disks, and clocks that are wrong. Real
// processes; the drill measures the longest time without an acknowledgement for each fault.

import { waitUntil } from '../../../tools/services/wait-until.ts';
import { judge } from '../liveness/judge.ts';
import { FAULTS } from './faults.ts';
import { PartitionStage } from './partition-stage.ts';

interface FaultResult {
  readonly name: string;
  readonly boundMs: number;
  /** The longest time without an acknowledgement, and what the fault itself takes of it. */
  readonly gapMs: number;
  readonly ownMs: number;
  readonly leaderChanges: number;
}

const RECOVERS_WITHIN_MS = 120_000;
/** No clock may move the time of frames further than an outage lasts. */
const STEP_MS_MAX = 120_000;

/** A quick run stages only the first fault. */
export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const stage = new PartitionStage();
  try {
    await stage.open();
    stage.prober.start();
    const results: FaultResult[] = [];
    for (const fault of quick ? FAULTS.slice(0, 1) : FAULTS) {
      if (fault.isPossible?.(stage) === false) continue;
      await stage.waitUntilPaired();
      const sinceMs = performance.now();
      const { epoch } = stage.prober;
      const ownMs = Math.round(await fault.strike(stage));
      await resumed(stage);
      const gapMs = stage.prober.longestGapMs(sinceMs);
      await stage.waitUntilPaired();
      const leaderChanges = stage.prober.epoch - epoch;
      const { boundMs, name } = fault;
      results.push({ name, boundMs, gapMs, ownMs, leaderChanges });
      console.log(JSON.stringify(results.at(-1)));
    }
    await stage.prober.finish();
    const judged = await judge(stage);
    const late = results.filter(({ boundMs, gapMs, ownMs }) => gapMs - ownMs > boundMs);
    const isWrong = judged.lost + judged.doubled + late.length > 0 || judged.stepMs > STEP_MS_MAX;
    if (isWrong) process.exitCode = 1;
    const leftOut = FAULTS.length - results.length;
    return { faults: results.length, leftOut, late: late.length, ...judged, results };
  } finally {
    await stage.close();
  }
}

/** Commands are acknowledged again, a number of them. */
async function resumed({ prober }: PartitionStage): Promise<void> {
  const wanted = prober.acknowledgements + 20;
  await waitUntil({
    what: 'commands are acknowledged again',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: () => prober.acknowledgements > wanted,
  });
}
