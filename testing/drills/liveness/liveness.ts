// Faults that must not stop the exchange: a leader that is cut off, stopped or busy, a poison
// command, a log that dies. Real processes with many open orders; the drill measures the longest
// time without an acknowledgement for each fault, and counts needless changes of leader.

import { decodeCommandFrame } from '../../../core/messages/index.ts';
import { journalNames, openSealedFrame } from '../../../infra/journal/index.ts';
import { Replica } from '../../../infra/replica/index.ts';
import { readLog } from '../journal/read-log.ts';
import { FAULTS } from './faults.ts';
import { fillBook } from './fill-book.ts';
import { EXCHANGE, Stage } from './stage.ts';

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

/** Reads the log with a separate engine: each answered command was executed once. */
async function judge({ nats, prober }: Stage): Promise<{
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly unknown: number;
  readonly logged: number;
  readonly lost: number;
  readonly doubled: number;
}> {
  const replica = Replica.create();
  const executions = new Map<number, number>();
  let logged = 0;
  await readLog(nats, journalNames(EXCHANGE).commands, (message) => {
    const sealed = openSealedFrame(message);
    if (sealed === undefined) throw new Error('The log has a damaged frame.');
    const { commands } = decodeCommandFrame(sealed.frame);
    const { events } = replica.follow(sealed);
    const repeated = new Set<number>(
      events.events.flatMap((event) => (event.kind === 'CommandRepeated' ? [event.command] : [])),
    );
    for (const [at, { number, source }] of commands.entries()) {
      if (source === 0) continue;
      logged++;
      const command = events.firstCommand + at;
      if (!repeated.has(command)) {
        executions.set(number, (executions.get(number) ?? 0) + 1);
      }
    }
  });
  const of = (kind: string) => prober.sent.filter(({ outcome }) => outcome?.kind === kind);
  const answered = of('answered');
  return {
    sent: prober.sent.length,
    answered: answered.length,
    refused: of('not_taken').length,
    unknown: of('unknown').length,
    logged,
    lost: answered.filter(({ id }) => !executions.has(id.number)).length,
    doubled: [...executions.values()].filter((count) => count > 1).length,
  };
}
