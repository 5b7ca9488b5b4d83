// Faults that must not stop the exchange: a leader that is cut off, stopped or busy, a poison
// command, a log that dies. Real processes with many open orders; the drill measures the longest
// time without an acknowledgement for each fault, and counts needless changes of leader.

import { FAULTS } from './faults.ts';
import { fillBook } from './fill-book.ts';
import { judge } from './judge.ts';
import { Stage } from './stage.ts';

const OPEN_ORDERS = { full: 1_000_000, quick: 10_000 };

interface FaultResult {
  readonly name: string;
  /** The longest time without an acknowledgement, and what the fault itself takes of it. */
  readonly gapMs: number;
  readonly ownMs: number;
  readonly leaderChanges: number;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const stage = new Stage();
  try {
    await stage.open();
    const orders = quick ? OPEN_ORDERS.quick : OPEN_ORDERS.full;
    await fillBook(stage.prober, orders);
    stage.prober.start();
    const results: FaultResult[] = [];
    let needlessLeaderChanges = 0;
    const leftOut: string[] = [];
    for (const fault of FAULTS) {
      if (fault.isPossible?.(stage) === false) {
        leftOut.push(fault.name);
        continue;
      }
      await stage.waitUntilPaired();
      const sinceMs = performance.now();
      const { epoch } = stage.prober;
      const ownMs = Math.round(await fault.strike(stage, { quick }));
      const gapMs = stage.prober.longestGapMs(sinceMs);
      await stage.waitUntilPaired();
      const leaderChanges = stage.prober.epoch - epoch;
      needlessLeaderChanges += Math.max(0, leaderChanges - fault.leaderChanges);
      results.push({ name: fault.name, gapMs, ownMs, leaderChanges });
      console.log(JSON.stringify(results.at(-1)));
    }
    await stage.prober.finish();
    const judged = await judge(stage);
    const longestGapMs = Math.max(...results.map(({ gapMs, ownMs }) => gapMs - ownMs));
    if (needlessLeaderChanges + judged.lost + judged.doubled > 0) process.exitCode = 1;
    const faults = results.length;
    return { faults, longestGapMs, needlessLeaderChanges, ...judged, orders, leftOut, results };
  } finally {
    await stage.close();
  }
}
