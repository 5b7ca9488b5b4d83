// The longest delay of the event loop, measured once per process for all of its services, because
// each measurement wakes an idle process.

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Delays include it. */
export const EVENT_LOOP_RESOLUTION_MS = 100;
/** Readers in one process share a reading for this long. */
const SHARED_FOR_MS = 900;

export interface EventLoopWatch {
  /** Longest delay in the last one or two seconds, in milliseconds. */
  longestMs(): number;
  stop(): void;
}

const delays = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
let watchCount = 0;
let readAtMs = 0;
let earlierNs = 0;

export function watchEventLoop(): EventLoopWatch {
  watchCount += 1;
  delays.enable();
  return {
    longestMs() {
      const longestNs = Math.max(earlierNs, delays.max);
      const nowMs = performance.now();
      if (nowMs - readAtMs >= SHARED_FOR_MS) {
        readAtMs = nowMs;
        earlierNs = delays.max;
        delays.reset();
      }
      return Math.max(0, Math.round(longestNs / 1e6) - EVENT_LOOP_RESOLUTION_MS);
    },
    stop() {
      watchCount -= 1;
      if (watchCount === 0) delays.disable();
    },
  };
}
