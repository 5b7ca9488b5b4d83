// Asks a question again and again until the answer is yes, for a bounded time.

import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 20;

/** Resolves when the question is answered with true; whatever the question throws ends the wait. */
export async function waitUntil(options: {
  what: string;
  timeoutMs: number;
  question: () => Promise<boolean> | boolean;
}): Promise<void> {
  const deadlineMs = performance.now() + options.timeoutMs;
  while (!(await options.question())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`waited ${options.timeoutMs / 1000} s in vain until ${options.what}`);
    }
    await delay(pauseMs);
  }
}
