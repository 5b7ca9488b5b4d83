// What a publisher asks of the network, and nothing more. NATS implements it, and a fake in tests.

/** What goes with a message, outside its payload. */
export type FeedHeaders = Readonly<Record<string, string>>;

/** What a gateway says to the publisher. */
export interface FeedRequest {
  readonly subject: string;
  readonly payload: string;
  /** Where an answer is said to; empty when none is waited for. */
  readonly replyTo: string;
}

export interface FeedSubscription {
  stop(): void;
}

export interface Feed {
  readonly isConnected: boolean;
  /** Calls back on every loss and every return of the connection. */
  watch(changed: (isConnected: boolean) => void): void;
  /** Sent once; who does not listen now does not hear it. */
  publish(subject: string, payload: string, headers?: FeedHeaders): void;
  /** Of several publishers, each hears it, or one of them. `*` stands for one word. */
  subscribe(
    subject: string,
    delivery: 'each' | 'one',
    receive: (question: FeedRequest) => void,
  ): FeedSubscription;
  /** Whether the servers have taken everything said before this call. Called back once. */
  flush(done: (isTaken: boolean) => void): void;
  /** Becomes the subject's last value. Gives its place in the stream, undefined when unsure. */
  storeLastValue(
    subject: string,
    payload: string,
    headers: FeedHeaders,
    done: (sequence: number | undefined) => void,
  ): void;
  /** How many last values there are, and the last place given; undefined when unsure. */
  storedExtent(
    done: (kept: { readonly count: number; readonly last: number } | undefined) => void,
  ): void;
}

export interface Checkpoint {
  /** The last message of EVENTS in it. */
  readonly message: number;
  readonly chunks: readonly Uint8Array[];
}

/** Where a publisher keeps how far it has come. */
export interface FeedStore {
  /** Undefined when it can not be learnt now. */
  readCursor(done: (cursor: number | 'none' | undefined) => void): void;
  writeCursor(message: number, done: (isDone: boolean) => void): void;
  /** `none` also when what is there is damaged: then it is made again from the events. */
  readCheckpoint(done: (bytes: Uint8Array | 'none' | undefined) => void): void;
  writeCheckpoint(checkpoint: Checkpoint, done: (isDone: boolean) => void): void;
}
