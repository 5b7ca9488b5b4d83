// Waits for the engine's outcome of a command in the outbox. The change is committed before: a
// fault while waiting must never be reported as its failure.

import { type ErrorKey, refusalError } from '../../protocol/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type EngineOutcome, OUTBOX_CHANNELS, type Ticket } from '../outbox/index.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Waits for the engine's outcome of a command in the outbox. Undefined after a timeout: the command
 * stays valid and is in progress. After a repeatable command, the projected tables contain its
 * effect.
 */
export async function awaitOutcome(
  { fresh, outcomes }: Pick<Dependencies, 'fresh' | 'outcomes'>,
  ticket: Ticket,
): Promise<EngineOutcome | Refused<ErrorKey> | undefined> {
  const outcome = await outcomes.wait(ticket);
  if (outcome === undefined) return undefined;
  const { frame, refusal } = outcome;
  const isRepeatable = typeof ticket === 'number';
  // The engine refuses every statement of the registry: it only has to be in the log.
  if (!isRepeatable && ticket.channel === OUTBOX_CHANNELS.registry) return outcome;
  if (refusal !== 'none') {
    // Orders have another error for this refusal.
    const isTooLittle = !isRepeatable && refusal === 'available_balance_too_small';
    return new Refused(isTooLittle ? 'balance_too_small' : refusalError(refusal), { refusal });
  }
  return !isRepeatable || (await fresh.untilFrame(frame)) ? outcome : undefined;
}

/** For answers that report success and no state: a timeout is a refusal too. */
export async function requireOutcome(
  dependencies: Pick<Dependencies, 'fresh' | 'outcomes'>,
  ticket: Ticket,
): Promise<EngineOutcome | Refused<ErrorKey>> {
  return (await awaitOutcome(dependencies, ticket)) ?? new Refused('outcome_unknown');
}

/** The same for several commands, which were appended in this order. Stops at the first refusal. */
export async function requireOutcomes(
  dependencies: Pick<Dependencies, 'fresh' | 'outcomes'>,
  tickets: readonly Ticket[],
): Promise<Refused<ErrorKey> | undefined> {
  for (const ticket of tickets) {
    const outcome = await requireOutcome(dependencies, ticket);
    if (outcome instanceof Refused) return outcome;
  }
  return undefined;
}
