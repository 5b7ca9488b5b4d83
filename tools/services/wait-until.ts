// Polls a condition until it is true, for a limited time.

import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Resolves when `question` returns true; rejects if it throws or times out. */
export async function waitUntil(options: {
  what: string;
  timeoutMs: number;
  question: () => Promise<boolean> | boolean;
  pauseMs?: number;
}): Promise<void> {
  const deadlineMs = performance.now() + options.timeoutMs;
  while (!(await options.question())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`timed out after ${options.timeoutMs / 1000} s: ${options.what}`);
    }
    await delay(options.pauseMs ?? PAUSE_MS);
  }
}

/** For tests: within 40 seconds unless the test passes another limit. */
export function until(
  what: string,
  question: () => Promise<boolean> | boolean,
  timeoutMs = 40_000,
): Promise<void> {
  return waitUntil({ what, question, timeoutMs });
}
