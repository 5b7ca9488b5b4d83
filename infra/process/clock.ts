// The clock: the port through which services see time, so that a simulator can put its own in
// place of the machine's. Outside this file no service calls Date.now, setTimeout or setImmediate.

export interface Timer {
  /** Forgets the task. Does nothing once it has run. */
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since 1970; stands still, and never goes back, when the machine is set back. */
  nowMs(): number;
  /** Milliseconds since some moment of its own; setting the machine's time does not touch it. */
  elapsedMs(): number;
  /** Runs the task once, not before `delayMs` from now. What is overdue runs as if it were 0. */
  after(delayMs: number, task: () => void): Timer;
  /** Runs the task as soon as what is under way is done. */
  soon(task: () => void): Timer;
}

export const systemClock: Clock = { nowMs, elapsedMs, after, soon };

// The longest wait that setTimeout knows, in milliseconds; given more, it would not wait at all.
const WAIT_MS_MAX = 2 ** 31 - 1;

let latestMs = 0;

function nowMs(): number {
  latestMs = Math.max(latestMs, Date.now());
  return latestMs;
}

function elapsedMs(): number {
  return performance.now();
}

// Delays are measured by the monotonic clock, so that setting the machine's time moves none of
// them. setTimeout rounds, and may be a fraction of a millisecond early: then it waits once more.
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
