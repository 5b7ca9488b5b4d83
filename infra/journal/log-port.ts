// What the exchange asks of a log, and nothing more: numbered messages without gaps, appended at
// an expected position or not at all. Callbacks instead of promises: a simulator must be able to
// decide the order of everything. JetStream and an in-memory log implement it.

/**
 * `stored`: a quorum of the log has the message at exactly this place, on disk.
 * `conflict`: the log does not end just before this place.
 * `unknown`: anything else. The message may be stored now, or later, or never.
 */
export type AppendOutcome = 'stored' | 'conflict' | 'unknown';

export interface Extent {
  /** The oldest message still held; last + 1 when there is none. */
  readonly first: number;
  /** The newest message; 0 in a log that never had one. */
  readonly last: number;
}

export interface LogSubscription {
  stop(): void;
}

export interface LogStream {
  /**
   * Stores the message as number `sequence`, or not at all. `done` is called exactly once. Appends
   * that are made one after another reach the log in that order, so several may be under way.
   * The bytes must not change until then.
   */
  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void;

  /** Asks the log's own leader; undefined when that cannot be learnt now. */
  extent(done: (extent: Extent | undefined) => void): void;

  /** One message as the log's own leader has it; undefined when it is not to be had. */
  read(sequence: number, done: (message: Uint8Array | undefined) => void): void;

  /**
   * Delivers messages from `from` on, those to come as well, until stopped. In order and each once
   * when all is well; the receiver checks. The bytes belong to the log: copy what is kept.
   */
  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription;
}
