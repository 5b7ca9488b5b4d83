// Waits for the engine's outcome of a command in the outbox. The change is committed before: a
// fault while waiting must never be reported as its failure.

import { refusalError } from '../../protocol/index.ts';
import type { EngineOutcome, Ticket } from '../outbox/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Waits for the engine's outcome of a command in the outbox. Undefined after a timeout: the command
 * stays valid and is under way. Throws if the engine refused. After a repeatable command, the
 * projected tables contain its effect.
 */
export async function awaitOutcome(
  { fresh, outcomes }: Pick<Dependencies, 'fresh' | 'outcomes'>,
  ticket: Ticket,
): Promise<EngineOutcome | undefined> {
  const outcome = await outcomes.wait(ticket);
  if (outcome === undefined) return undefined;
  const { frame, refusal } = outcome;
  const isRepeatable = typeof ticket === 'number';
  if (refusal !== 'none') {
    // Orders have another error for this refusal.
    const isTooLittle = !isRepeatable && refusal === 'available_balance_too_small';
    throw new ApiRefusal(isTooLittle ? 'balance_too_small' : refusalError(refusal), { refusal });
  }
  return !isRepeatable || (await fresh.untilFrame(frame)) ? outcome : undefined;
}

/** For answers that report success and no state. Throws outcome_unknown after a timeout. */
export async function requireOutcome(
  dependencies: Pick<Dependencies, 'fresh' | 'outcomes'>,
  ticket: Ticket,
): Promise<EngineOutcome> {
  const outcome = await awaitOutcome(dependencies, ticket);
  if (outcome === undefined) throw new ApiRefusal('outcome_unknown');
  return outcome;
}

/** The same for several commands, which were appended in this order. */
export async function requireOutcomes(
  dependencies: Pick<Dependencies, 'fresh' | 'outcomes'>,
  tickets: readonly Ticket[],
): Promise<void> {
  for (const ticket of tickets) await requireOutcome(dependencies, ticket);
}
