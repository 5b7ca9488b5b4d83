// Waits for what the engine says to a request that is in the outbox. The request stands whatever
// happens here: who has to wait too long is told that it is under way, never that it failed.

import type { OutboxOutcome, OutboxPosition } from '../../../domain/transfers/index.ts';
import { refusalError } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';

const TIMEOUT_MS = 10_000;

/** Undefined when it is not known yet. Refuses when the engine did. */
export async function awaitOutcome(
  { outcomes }: Dependencies,
  position: OutboxPosition,
): Promise<OutboxOutcome | undefined> {
  outcomes.wakeDispatcher();
  const outcome = await outcomes.waitForOutcome(position, { timeoutMs: TIMEOUT_MS });
  if (outcome === undefined || outcome.refusal === 'none') return outcome;
  const { refusal } = outcome;
  // Of an order it is said otherwise.
  const isTooLittle = refusal === 'available_balance_too_small';
  throw new ApiRefusal(isTooLittle ? 'balance_too_small' : refusalError(refusal), { refusal });
}
