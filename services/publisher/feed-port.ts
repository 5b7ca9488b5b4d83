// Port through which a publisher uses the network, implemented by NATS and by a fake in tests.

export type FeedHeaders = Readonly<Record<string, string>>;

/** A request from a gateway. */
export interface FeedRequest {
  readonly subject: string;
  readonly payload: string;
  /** The subject for the reply; empty if none is expected. */
  readonly replyTo: string;
}

export interface FeedSubscription {
  stop(): void;
}

export interface Feed {
  readonly isConnected: boolean;
  /** Calls back on every disconnect and every reconnect. */
  watch(changed: (isConnected: boolean) => void): void;
  /** Publishes once, to current subscribers only. */
  publish(subject: string, payload: string, headers?: FeedHeaders): void;
  /**
   * With several publishers, either each receives the message or one of them does. `*` matches one
   * token.
   */
  subscribe(
    subject: string,
    delivery: 'each' | 'one',
    receive: (question: FeedRequest) => void,
  ): FeedSubscription;
  /**
   * Calls back once, with whether the servers have received everything published before this call.
   */
  flush(done: (isTaken: boolean) => void): void;
  /**
   * Stores the subject's last value. Returns its stream sequence, or undefined if the outcome is
   * unknown.
   */
  storeLastValue(
    subject: string,
    payload: string,
    headers: FeedHeaders,
    done: (sequence: number | undefined) => void,
  ): void;
  /** Returns the number of last values and the last sequence, or undefined if unknown. */
  storedExtent(
    done: (extent: { readonly count: number; readonly last: number } | undefined) => void,
  ): void;
}

export interface Checkpoint {
  /** Last EVENTS message included. */
  readonly message: number;
  readonly chunks: readonly Uint8Array[];
}

/** Stores a publisher's cursor and checkpoint. */
export interface FeedStore {
  /** Calls back with undefined if the read failed. */
  readCursor(done: (cursor: number | 'none' | undefined) => void): void;
  writeCursor(message: number, done: (isDone: boolean) => void): void;
  /**
   * Calls back with `none` even if the stored checkpoint is damaged; then the state is rebuilt from
   * the events.
   */
  readCheckpoint(done: (bytes: Uint8Array | 'none' | undefined) => void): void;
  writeCheckpoint(checkpoint: Checkpoint, done: (isDone: boolean) => void): void;
}
