// Starts a task at a steady rate, regardless of response times, like independent clients.

import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the number of tasks when all of them are done. */
export async function atRate(
  perSecond: number,
  forMs: number,
  task: (index: number) => Promise<void>,
): Promise<number> {
  const startedMs = performance.now();
  const running: Promise<void>[] = [];
  const count = Math.floor((perSecond * forMs) / 1_000);
  for (let index = 0; index < count; index++) {
    const waitMs = startedMs + (1_000 * index) / perSecond - performance.now();
    if (waitMs > 0) await delay(waitMs);
    running.push(task(index));
  }
  await Promise.all(running);
  return count;
}
