// Waits for the engine's outcome of a command in the queue of operators. The dispatcher publishes
// the ids of settled commands; because a message may be lost, the table is polled as well.

import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import {
  type EngineCommandOutcome,
  engineCommandSubject,
  readEngineCommand,
} from '../../../platform/outbox/index.ts';
import { refusalError } from '../../../protocol/index.ts';

const TIMEOUT_MS = 10_000;
const POLL_MS = 250;

type Awaiting = Pick<
  Dependencies,
  'bus' | 'clock' | 'exchange' | 'fresh' | 'outcomes' | 'registry'
>;

/**
 * Call after the commit. Undefined after a timeout: the command still waits, and will have an
 * outcome. Otherwise the projected tables contain its effect. Throws if the engine refused it.
 */
export async function awaitEngineCommand(
  dependencies: Awaiting,
  id: number,
): Promise<EngineCommandOutcome | undefined> {
  dependencies.outcomes.wakeDispatcher();
  const outcome = await settled(dependencies, id);
  if (outcome === undefined) return undefined;
  const { frame, refusal } = outcome;
  if (refusal !== 'none') throw new ApiRefusal(refusalError(refusal), { refusal });
  return (await dependencies.fresh.untilFrame(frame)) ? outcome : undefined;
}

/** As awaitEngineCommand, for several commands that were appended in this order. */
export async function awaitEngineCommands(
  dependencies: Awaiting,
  ids: readonly number[],
): Promise<boolean> {
  let isDone = true;
  for (const id of ids) isDone &&= (await awaitEngineCommand(dependencies, id)) !== undefined;
  return isDone;
}

/** Throws if the outcome is not known in time. */
export async function untilDone(dependencies: Awaiting, ids: readonly number[]): Promise<void> {
  if (!(await awaitEngineCommands(dependencies, ids))) throw new ApiRefusal('outcome_unknown');
}

async function settled(
  { bus, clock, exchange, registry }: Awaiting,
  id: number,
): Promise<EngineCommandOutcome | undefined> {
  let announced: () => void = () => {};
  const subscription = bus.subscribe(engineCommandSubject(exchange.exchange), (message) => {
    if (Buffer.from(message).toString() === `${id}`) announced();
  });
  const endMs = clock.elapsedMs() + TIMEOUT_MS;
  try {
    for (;;) {
      // Before the read: an announcement during the read counts.
      const next = new Promise<void>((resolve) => {
        const timer = clock.after(POLL_MS, resolve);
        announced = () => {
          timer.cancel();
          resolve();
        };
      });
      const outcome = await readEngineCommand(registry, id);
      if (outcome !== undefined && outcome.state !== 'waiting') return outcome;
      if (clock.elapsedMs() >= endMs) return undefined;
      await next;
    }
  } finally {
    announced();
    subscription.stop();
  }
}
