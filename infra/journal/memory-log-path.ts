// The path between one client and the in-memory log: its delays and its faults. The path's own
// random numbers decide everything, so a seed reproduces it.

import type { Clock } from '../process/index.ts';

/** The faults, each with its own probability. */
export type LogFault =
  /** The request never reaches the log. */
  | 'append_lost'
  /** The request arrives after others that were sent later, as after a reconnect. */
  | 'append_late'
  /** The request arrives twice; the fence rejects the second copy. */
  | 'append_twice'
  /** The log has decided, but the response is lost: `unknown` after the timeout. */
  | 'answer_lost'
  | 'answer_late'
  /** The client gets `unknown` immediately, whatever happens to the request. */
  | 'connection_reset'
  | 'delivery_lost'
  | 'delivery_late'
  | 'delivery_twice'
  /** Bytes are missing or wrong; the correct message follows late. */
  | 'delivery_torn'
  /** Nothing is delivered for a while. */
  | 'delivery_stalled'
  /** A former leader of the log responds with an outdated extent. */
  | 'extent_stale'
  | 'extent_unavailable'
  | 'read_unavailable';

/** Both ends inclusive. */
export interface DelayRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Read at each step: its owner may change it while the log is in use. */
export interface LogPath {
  /** At least 0 and less than 1. */
  random: () => number;
  /** From the client to the log, and the same back. */
  delayMs: DelayRange;
  /** The additional delay of late messages. */
  lateMs: DelayRange;
  stallMs: DelayRange;
  /** An append without a response within this time is `unknown`; so are requests. */
  timeoutMs: number;
  /** While true, nothing passes in either direction. */
  isCut: boolean;
  /** While true, requests do not reach the log; responses and deliveries pass. */
  isMute: boolean;
  /** While true, responses and deliveries do not reach the client; requests pass. */
  isDeaf: boolean;
  /** From 0 to 1; faults that are not listed never happen. */
  rates: Partial<Record<LogFault, number>>;
  /** Called for every fault as it happens. */
  onFault: (fault: LogFault | 'cut' | 'outage' | 'disk_full') => void;
  /** Called when the log stores a message of this path, possibly long before the client knows. */
  onStored: (sequence: number) => void;
}

/** A path without faults. */
export function faultlessPath(random: () => number): LogPath {
  return {
    random,
    delayMs: { leastMs: 0.1, mostMs: 1 },
    lateMs: { leastMs: 5, mostMs: 500 },
    stallMs: { leastMs: 50, mostMs: 1_000 },
    timeoutMs: 200,
    isCut: false,
    isMute: false,
    isDeaf: false,
    rates: {},
    onFault: () => {},
    onStored: () => {},
  };
}

export function drawMs(random: () => number, { leastMs, mostMs }: DelayRange): number {
  return leastMs + random() * (mostMs - leastMs);
}

/** Decides whether the fault happens now, and reports it. */
export function happens(path: LogPath, fault: LogFault): boolean {
  const rate = path.rates[fault] ?? 0;
  if (rate <= 0 || path.random() >= rate) return false;
  path.onFault(fault);
  return true;
}

/**
 * One direction of one connection: later items arrive later, whatever their delays. The in-memory
 * log and the simulator's bus are built on it.
 */
export class OrderedDelivery {
  readonly #clock: Clock;
  readonly #inFlight: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Each arrival delivers the oldest item, so a short delay never overtakes. */
  send(delayMs: number, arrive: () => void): void {
    this.#inFlight.push(arrive);
    this.#clock.after(delayMs, () => this.#inFlight.shift()?.());
  }
}
