// Waits for the engine's outcome of a command in the queue of operators. The dispatcher publishes
// the ids of settled commands; because a message may be lost, the table is polled as well.

import type { Dependencies } from '../../../platform/http/index.ts';
import {
  type EngineCommandOutcome,
  engineCommandSubject,
  readEngineCommand,
} from '../../../platform/outbox/index.ts';
import { type ErrorKey, refusalError } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

const TIMEOUT_MS = 10_000;
const POLL_MS = 250;

type Awaiting = Pick<
  Dependencies,
  'bus' | 'clock' | 'exchange' | 'fresh' | 'outcomes' | 'registry'
>;

/**
 * Call after the commit. Returns undefined after a timeout: the command is still queued and will
 * have an outcome. Otherwise the projected tables contain its effect.
 */
export async function awaitEngineCommand(
  dependencies: Awaiting,
  id: number,
): Promise<EngineCommandOutcome | Refused<ErrorKey> | undefined> {
  dependencies.outcomes.wakeDispatcher();
  const outcome = await settled(dependencies, id);
  if (outcome === undefined) return undefined;
  const { frame, refusal } = outcome;
  if (refusal !== 'none') return new Refused(refusalError(refusal), { refusal });
  return (await dependencies.fresh.untilFrame(frame)) ? outcome : undefined;
}

/** Like awaitEngineCommand, for several commands in the order of the queue. */
export async function awaitEngineCommands(
  dependencies: Awaiting,
  ids: readonly number[],
): Promise<Refused<ErrorKey> | undefined> {
  for (const id of ids) {
    const outcome = await awaitEngineCommand(dependencies, id);
    if (outcome instanceof Refused) return outcome;
    if (outcome === undefined) return new Refused('outcome_unknown');
  }
  return undefined;
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
