// Faults that must not stop the exchange: a leader that is cut off, stopped or busy, a poison
// command, and a log failure. Uses real processes with many open orders, measures the longest time
// without an acknowledgment for each fault, and counts needless leader changes.

import { checkLog } from '../harness/check-log.ts';
import { strikeFaults } from '../harness/strike-faults.ts';
import { FAULTS } from './faults.ts';
import { fillBook } from './fill-book.ts';
import { Stage } from './stage.ts';

const OPEN_ORDERS = { full: 1_000_000, quick: 10_000 };

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const stage = new Stage();
  try {
    await stage.open();
    const orders = quick ? OPEN_ORDERS.quick : OPEN_ORDERS.full;
    await fillBook(stage.prober, orders);
    stage.prober.start();
    const struck = await strikeFaults(stage, FAULTS, { quick });
    await stage.prober.finish();
    const checked = await checkLog(stage);
    const longestGapMs = Math.max(...struck.map(({ gapMs, ownMs }) => gapMs - ownMs));
    const needlessLeaderChanges = struck.reduce(
      (sum, { fault, leaderChanges }) => sum + Math.max(0, leaderChanges - fault.leaderChanges),
      0,
    );
    if (needlessLeaderChanges + checked.lost + checked.doubled > 0) process.exitCode = 1;
    const faults = struck.length;
    const left = FAULTS.filter((one) => !struck.some(({ fault }) => fault === one));
    const leftOut = left.map(({ name }) => name);
    const results = struck.map(({ fault: { name }, ...rest }) => ({ name, ...rest }));
    return { faults, longestGapMs, needlessLeaderChanges, ...checked, orders, leftOut, results };
  } finally {
    await stage.close();
  }
}
