// Compares the commands that a prober sent with the log: which were answered, and which were
// executed.

import { decodeCommandFrame } from '../../../core/messages/index.ts';
import { journalNames, openSealedFrame } from '../../../infra/journal/index.ts';
import { Replica } from '../../../infra/replica/index.ts';
import { EXCHANGE } from './log-stage.ts';
import { readLog } from './read-log.ts';
import type { ProbedStage } from './strike-faults.ts';

/** Reads the log with a separate engine: each answered command was executed once. */
export async function checkLog({ log, prober }: ProbedStage): Promise<{
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly unknown: number;
  readonly logged: number;
  readonly lost: number;
  readonly doubled: number;
  /** Largest increment of frame time. */
  readonly stepMs: number;
}> {
  const replica = Replica.create();
  const executions = new Map<number, number>();
  let [logged, stepMs, timeMs] = [0, 0, 0];
  await readLog(log.nats, journalNames(EXCHANGE).commands, (message) => {
    const sealed = openSealedFrame(message);
    if (sealed === undefined) throw new Error('The log has a damaged frame.');
    const { commands, timeMs: atMs } = decodeCommandFrame(sealed.frame);
    if (timeMs > 0) stepMs = Math.max(stepMs, atMs - timeMs);
    timeMs = atMs;
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
    stepMs,
  };
}
