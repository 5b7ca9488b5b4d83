// Waits for the engine's outcome of a command in the outbox. The change is committed before: a
// fault while waiting must never be reported as its failure.

import { type ErrorKey, refusalError } from '../../protocol/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { OutboxOutcome, OutboxPosition } from '../outbox/index.ts';
import type { Dependencies } from './dependencies.ts';

const OUTCOME_TIMEOUT_MS = 10_000;

/**
 * Waits for the engine's outcome of a request in the outbox. Undefined after a timeout: the request
 * stays valid and is under way.
 */
export async function awaitOutcome(
  { outcomes }: Pick<Dependencies, 'outcomes'>,
  position: OutboxPosition,
): Promise<OutboxOutcome | Refused<ErrorKey> | undefined> {
  outcomes.wakeDispatcher();
  const outcome = await outcomes.waitForOutcome(position, { timeoutMs: OUTCOME_TIMEOUT_MS });
  if (outcome === undefined || outcome.refusal === 'none') return outcome;
  const { refusal } = outcome;
  // Orders have another error for this refusal.
  const isTooLittle = refusal === 'available_balance_too_small';
  return new Refused(isTooLittle ? 'balance_too_small' : refusalError(refusal), { refusal });
}

/** For answers that report success and no state: a timeout is a refusal too. */
export async function requireOutcome(
  dependencies: Pick<Dependencies, 'outcomes'>,
  position: OutboxPosition,
): Promise<OutboxOutcome | Refused<ErrorKey>> {
  return (await awaitOutcome(dependencies, position)) ?? new Refused('outcome_unknown');
}
