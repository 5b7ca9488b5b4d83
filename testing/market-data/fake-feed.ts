// A publisher's network in virtual time: messages take time, connections break, responses are lost,
// and a crashing process loses unsent messages.

import type { Clock } from '../../infra/process/index.ts';
import type {
  Checkpoint,
  Feed,
  FeedHeaders,
  FeedRequest,
  FeedStore,
  FeedSubscription,
} from '../../services/publisher/feed-port.ts';
import type { Random } from '../flows/index.ts';

/** State that survives every process: subscribers, last values, cursor and checkpoint. */
export interface FakeNetwork {
  readonly time: Clock;
  readonly random: Random;
  /** Percentage of lost responses. */
  readonly lossPercent: number;
  hear(subject: string, payload: string, headers: FeedHeaders): void;
  /** Current listeners of all processes. */
  readonly listeners: Set<FakeListener>;
  readonly kept: Map<string, string>;
  keptLast: number;
  cursor: number | 'none';
  checkpoint: Uint8Array | 'none';
}

export interface FakeListener {
  readonly subject: string;
  readonly delivery: 'each' | 'one';
  hear(question: FeedRequest): void;
}

/** Publishes a request from another client. Returns whether anyone received it. */
export function askFeed({ listeners }: FakeNetwork, question: FeedRequest): boolean {
  const words = question.subject.split('.');
  const found = [...listeners].filter(({ subject }) => {
    const own = subject.split('.');
    return (
      own.length === words.length && own.every((word, at) => word === '*' || word === words[at])
    );
  });
  const one = found.find(({ delivery }) => delivery === 'one');
  for (const listener of found) {
    if (listener.delivery === 'each' || listener === one) listener.hear(question);
  }
  return found.length > 0;
}

const TIMEOUT_MS = 300;

/** One process's connection. `clock` belongs to the process: a dead process receives nothing. */
export class FakeFeed implements Feed {
  readonly #network: FakeNetwork;
  readonly #clock: Clock;
  readonly #watchers: ((isConnected: boolean) => void)[] = [];
  #isConnected = true;
  /** Messages that are published but not yet sent, in order. */
  #leaving: (() => void)[] = [];
  #round = 0;

  constructor(network: FakeNetwork, clock: Clock) {
    this.#network = network;
    this.#clock = clock;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  watch(changed: (isConnected: boolean) => void): void {
    this.#watchers.push(changed);
  }

  publish(subject: string, payload: string, headers: FeedHeaders = {}): void {
    this.#leave(() => this.#network.hear(subject, payload, headers));
  }

  subscribe(
    subject: string,
    delivery: 'each' | 'one',
    receive: (question: FeedRequest) => void,
  ): FeedSubscription {
    const { listeners } = this.#network;
    const hear = (question: FeedRequest) => {
      this.#clock.after(this.#delayMs(), () => {
        if (this.#isConnected) receive(question);
      });
    };
    const listener = { subject, delivery, hear };
    listeners.add(listener);
    return { stop: () => listeners.delete(listener) };
  }

  flush(done: (isTaken: boolean) => void): void {
    const round = this.#round;
    this.#leave(() => this.#clock.after(this.#delayMs(), () => done(round === this.#round)));
  }

  storeLastValue(
    subject: string,
    payload: string,
    headers: FeedHeaders,
    done: (sequence: number | undefined) => void,
  ): void {
    const { lossPercent, random } = this.#network;
    const timeout = this.#clock.after(TIMEOUT_MS, () => done(undefined));
    if (random.chance(lossPercent)) return;
    this.#leave(() => {
      this.#network.keptLast += 1;
      const place = this.#network.keptLast;
      this.#network.kept.set(subject, payload);
      this.#network.hear(subject, payload, headers);
      if (random.chance(lossPercent)) return;
      this.#clock.after(this.#delayMs(), () => {
        timeout.cancel();
        done(place);
      });
    });
  }

  storedExtent(done: (kept: { count: number; last: number } | undefined) => void): void {
    const { kept, keptLast: last } = this.#network;
    this.#clock.after(this.#delayMs(), () => done({ count: kept.size, last }));
  }

  /** Drops unsent messages. */
  lose(): void {
    this.#isConnected = false;
    this.#leaving = [];
    this.#round += 1;
    for (const watcher of this.#watchers) watcher(false);
  }

  regain(): void {
    this.#isConnected = true;
    for (const watcher of this.#watchers) watcher(true);
  }

  // The socket is written after the current turn. Written data always arrives.
  #leave(task: () => void): void {
    this.#leaving.push(task);
    if (this.#leaving.length > 1) return;
    this.#clock.after(this.#delayMs(), () => {
      const leaving = this.#leaving;
      this.#leaving = [];
      for (const each of leaving) each();
    });
  }

  #delayMs(): number {
    return this.#network.random.below(40) / 10;
  }
}

/** Writes can fail with or without effect. A checkpoint is stored completely or not at all. */
export class FakeFeedStore implements FeedStore {
  readonly #network: FakeNetwork;
  readonly #clock: Clock;

  constructor(network: FakeNetwork, clock: Clock) {
    this.#network = network;
    this.#clock = clock;
  }

  readCursor(done: (cursor: number | 'none' | undefined) => void): void {
    this.#answer(() => this.#network.cursor, done);
  }

  writeCursor(message: number, done: (isDone: boolean) => void): void {
    this.#write(() => {
      this.#network.cursor = message;
    }, done);
  }

  readCheckpoint(done: (bytes: Uint8Array | 'none' | undefined) => void): void {
    this.#answer(() => this.#network.checkpoint, done);
  }

  writeCheckpoint({ chunks }: Checkpoint, done: (isDone: boolean) => void): void {
    const bytes = Buffer.concat(chunks);
    this.#write(() => {
      this.#network.checkpoint = bytes;
    }, done);
  }

  #answer<Value>(read: () => Value, done: (value: Value | undefined) => void): void {
    const isLost = this.#network.random.chance(this.#network.lossPercent);
    this.#clock.after(this.#network.random.below(5), () => done(isLost ? undefined : read()));
  }

  #write(change: () => void, done: (isDone: boolean) => void): void {
    const { lossPercent, random, time } = this.#network;
    const isLost = random.chance(lossPercent);
    // A write in flight does not depend on its sender.
    if (!isLost || random.chance(50)) time.after(random.below(5), change);
    this.#clock.after(5 + random.below(5), () => done(!isLost));
  }
}
