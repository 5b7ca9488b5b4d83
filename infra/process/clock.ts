// The clock: the port through which services read time and set timers, so a simulator can
// replace it. Outside this file no service calls Date.now, setTimeout or setImmediate.

export interface Timer {
  /** Cancels the task. Does nothing after the task has run. */
  cancel(): void;
}

export interface Clock {
  /**
   * Milliseconds since 1970, as the machine shows. It pauses while that time is set back by up to
   * a second, and follows a larger correction: one wrong reading must not stop it for long.
   */
  nowMs(): number;
  /** Milliseconds since an arbitrary moment; setting the machine's time does not change it. */
  elapsedMs(): number;
  /** Runs the task once, not before `delayMs` from now. A negative delay counts as 0. */
  after(delayMs: number, task: () => void): Timer;
  /** Runs the task after the current one and its microtasks. */
  soon(task: () => void): Timer;
}

export const systemClock: Clock = { nowMs, elapsedMs, after, soon };

// The longest delay that setTimeout supports, in milliseconds; it fires longer ones immediately.
const WAIT_MS_MAX = 2 ** 31 - 1;

/** Times within a second never go back. */
export const PAUSE_MS_MAX = 1_000;

let latestMs = 0;

function nowMs(): number {
  const machineMs = Date.now();
  if (machineMs > latestMs || latestMs - machineMs > PAUSE_MS_MAX) latestMs = machineMs;
  return latestMs;
}

function elapsedMs(): number {
  return performance.now();
}

// The monotonic clock measures delays, so setting the machine's time does not change them.
// setTimeout rounds and may fire a fraction of a millisecond early: then the timer waits again.
function after(delayMs: number, task: () => void): Timer {
  if (Number.isNaN(delayMs)) throw new RangeError('a delay must be a number of milliseconds');
  const dueMs = performance.now() + delayMs;
  let timeout = setTimeout(runOrWait, waitMs());
  return { cancel: () => clearTimeout(timeout) };

  function runOrWait(): void {
    if (performance.now() >= dueMs) task();
    else timeout = setTimeout(runOrWait, waitMs());
  }

  function waitMs(): number {
    return Math.min(Math.max(Math.ceil(dueMs - performance.now()), 0), WAIT_MS_MAX);
  }
}

function soon(task: () => void): Timer {
  const immediate = setImmediate(task);
  return { cancel: () => clearImmediate(immediate) };
}
