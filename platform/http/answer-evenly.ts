// Answers leave at a multiple of 100 ms after their request began, refusals too, so the time
// of an answer does not say whether an account exists.

import type { Clock } from '../../infra/process/index.ts';

const STEP_MS = 100;

/** Settles like the work, at the next multiple of 100 ms. Call it first in a handler. */
export async function answerEvenly<Result>(
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedMs = clock.elapsedMs();
  try {
    return await work();
  } finally {
    const tookMs = clock.elapsedMs() - startedMs;
    const waitMs = Math.ceil(Math.max(tookMs, 1) / STEP_MS) * STEP_MS - tookMs;
    await new Promise<void>((resolve) => clock.after(waitMs, resolve));
  }
}
