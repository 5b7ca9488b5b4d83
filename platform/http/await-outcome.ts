// Waits for the engine's outcome of a command in the outbox. The change is committed before: a
// fault while waiting must never be reported as its failure.

import { refusalError } from '../../protocol/index.ts';
import type { OutboxOutcome, OutboxPosition } from '../outbox/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

const OUTCOME_TIMEOUT_MS = 10_000;

/**
 * Waits for the engine's outcome of a request in the outbox. Undefined after a timeout: the request
 * stays valid and is under way. Throws if the engine refused.
 */
export async function awaitOutcome(
  { outcomes }: Pick<Dependencies, 'outcomes'>,
  position: OutboxPosition,
): Promise<OutboxOutcome | undefined> {
  outcomes.wakeDispatcher();
  const outcome = await outcomes.waitForOutcome(position, { timeoutMs: OUTCOME_TIMEOUT_MS });
  if (outcome === undefined || outcome.refusal === 'none') return outcome;
  const { refusal } = outcome;
  // Orders have another error for this refusal.
  const isTooLittle = refusal === 'available_balance_too_small';
  throw new ApiRefusal(isTooLittle ? 'balance_too_small' : refusalError(refusal), { refusal });
}

/** For answers that report success and no state. Throws outcome_unknown after a timeout. */
export async function requireOutcome(
  dependencies: Pick<Dependencies, 'outcomes'>,
  position: OutboxPosition,
): Promise<OutboxOutcome> {
  const outcome = await awaitOutcome(dependencies, position);
  if (outcome === undefined) throw new ApiRefusal('outcome_unknown');
  return outcome;
}
