// The way between one client and the in-memory log: how long it takes and what goes wrong on it.
// Everything is decided by the path's own random numbers, so a seed decides it.

/** What can go wrong, each with its own probability. */
export type LogFault =
  /** The request never reaches the log. */
  | 'append_lost'
  /** The request arrives after others that were sent later, as after a reconnect. */
  | 'append_late'
  /** The request arrives twice; the second copy meets the fence. */
  | 'append_twice'
  /** The log has decided, but its answer never comes back: `unknown` after the timeout. */
  | 'answer_lost'
  | 'answer_late'
  /** The client is told `unknown` at once, whatever becomes of the request. */
  | 'connection_reset'
  | 'delivery_lost'
  | 'delivery_late'
  | 'delivery_twice'
  /** Bytes are missing or wrong; the right message follows late. */
  | 'delivery_torn'
  /** Nothing is delivered for a while. */
  | 'delivery_stalled'
  /** A former leader of the log answers, with less than there is. */
  | 'extent_stale'
  | 'extent_unavailable'
  | 'read_unavailable';

/** Both ends included. */
export interface DelayRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Read anew at each step: whoever holds it may change it while the log is in use. */
export interface LogPath {
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** From the client to the log, and the same back. */
  delayMs: DelayRange;
  /** What comes late does so by this much more. */
  lateMs: DelayRange;
  stallMs: DelayRange;
  /** An append that is not answered within this is `unknown`; so are questions. */
  timeoutMs: number;
  /** While true nothing passes, in either direction. */
  isCut: boolean;
  /** From 0 to 1; what is not named never happens. */
  rates: Partial<Record<LogFault, number>>;
  /** Told of every fault as it happens. */
  onFault: (fault: LogFault | 'cut' | 'outage') => void;
  /** Told when the log stores what came over this path, long before the client may know. */
  onStored: (sequence: number) => void;
}

/** A path on which nothing goes wrong. */
export function soundPath(random: () => number): LogPath {
  return {
    random,
    delayMs: { leastMs: 0.1, mostMs: 1 },
    lateMs: { leastMs: 5, mostMs: 500 },
    stallMs: { leastMs: 50, mostMs: 1_000 },
    timeoutMs: 200,
    isCut: false,
    rates: {},
    onFault: () => {},
    onStored: () => {},
  };
}

export function drawMs(random: () => number, { leastMs, mostMs }: DelayRange): number {
  return leastMs + random() * (mostMs - leastMs);
}

/** Decides whether the fault happens now, and tells. */
export function happens(path: LogPath, fault: LogFault): boolean {
  const rate = path.rates[fault] ?? 0;
  if (rate <= 0 || path.random() >= rate) return false;
  path.onFault(fault);
  return true;
}
