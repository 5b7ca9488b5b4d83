// The log as the exchange needs it: numbered messages without gaps, appended at an expected
// position or not at all. It uses callbacks instead of promises so the simulator controls the
// order of everything. JetStream and an in-memory log implement it.

/**
 * `stored`: a quorum of the log has the message at exactly this position, on disk.
 * `conflict`: the log does not end just before this position.
 * `unknown`: anything else. The message might be stored now, later, or never.
 */
export type AppendOutcome = 'stored' | 'conflict' | 'unknown';

export interface Extent {
  /** The oldest message still held; last + 1 if there is none. */
  readonly first: number;
  /** The newest message; 0 in a log that never had one. */
  readonly last: number;
  /** Clock of the responding server, if it reports one. */
  readonly clockMs?: number | undefined;
  /** How long ago the newest message was stored, by the clocks of the servers. */
  readonly idleMs?: number | undefined;
}

export interface LogSubscription {
  stop(): void;
}

export interface LogStream {
  /**
   * Stores the message at position `sequence`, or not at all. Calls `done` exactly once.
   * Consecutive appends reach the log in order, so several may be in flight. The bytes must not
   * change until `done` is called.
   */
  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void;

  /** Queries the log's leader; undefined if it does not respond. */
  extent(done: (extent: Extent | undefined) => void): void;

  /** Reads one message from the log's leader; undefined when it is not available. */
  read(sequence: number, done: (message: Uint8Array | undefined) => void): void;

  /**
   * Delivers messages from `from` on, including future ones, until stopped. Normally in order and
   * once each; the receiver must check. The bytes belong to the log: copy what is kept.
   */
  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription;
}

/** A log whose oldest messages can be discarded. Only the archivist does. */
export interface TrimmableLog extends LogStream {
  /**
   * Discards all messages before `first`, which must exist: a log is never emptied, so its end
   * stays known. False if the log did not confirm it.
   */
  trim(first: number, done: (isTrimmed: boolean) => void): void;
}
