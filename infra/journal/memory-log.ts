// A log in memory for tests and the simulator: one array of messages, and for each client a path
// with its own faults for requests, answers and deliveries. The log itself never loses what it
// acknowledged and never stores two messages at one position.

import type { Clock } from '../process/index.ts';
import type { AppendOutcome, Extent, LogSubscription, TrimmableLog } from './log-port.ts';
import { MemoryLogFollower } from './memory-log-follower.ts';
import { drawMs, happens, type LogPath, OrderedDelivery } from './memory-log-path.ts';

/** How far back a former leader's response can be, in messages. */
const STALE_MESSAGES_MAX = 5;

interface Request {
  readonly sequence: number;
  readonly message: Uint8Array;
}

export class MemoryLog {
  /** The log's own clock: requests in flight arrive even if their sender has died. */
  readonly clock: Clock;
  /** By how much the clock of its server is ahead. */
  skewMs = 0;
  /** The disks of a majority of its servers are full: it answers, and stores nothing. */
  isFull = false;
  readonly #messages: Uint8Array[] = [];
  #lastMs = 0;
  readonly #followings = new Set<MemoryLogFollower>();
  #first = 1;
  #isOut = false;
  /** Requests held back until the outage ends. */
  #held: (() => void)[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  connect(clock: Clock, path: LogPath): MemoryLogConnection {
    return new MemoryLogConnection(this, clock, path);
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#messages.length;
  }

  /** When the last message was stored, by the clock of its server. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get isOut(): boolean {
    return this.#isOut;
  }

  /** The message itself: must not be changed. */
  message(sequence: number): Uint8Array {
    return this.#messages[sequence - 1];
  }

  /** Stores at the end, as another writer would, and returns the sequence. */
  store(message: Uint8Array): number {
    this.#messages.push(new Uint8Array(message));
    this.#lastMs = this.clock.nowMs() + this.skewMs;
    for (const following of this.#followings) following.wake();
    return this.last;
  }

  /** Discards the messages before this one. */
  trim(first: number): void {
    this.#first = Math.max(this.#first, Math.min(first, this.last + 1));
  }

  /** All disks are those of an earlier moment: later messages are gone. */
  putBack(last: number): void {
    this.#messages.length = last;
  }

  /** Takes the leader away: requests are stored now, later, or never. */
  beginOutage(): void {
    this.#isOut = true;
  }

  endOutage(): void {
    this.#isOut = false;
    const held = this.#held;
    this.#held = [];
    for (const arrive of held) arrive();
  }

  /** A request waits in a socket until the outage ends. */
  hold(arrive: () => void): void {
    this.#held.push(arrive);
  }

  /** A request arrives. There is no response without a leader. */
  take(request: Request, path: LogPath, answer: (outcome: AppendOutcome) => void): void {
    if (!this.#isOut && this.isFull) {
      path.onFault('disk_full');
      answer('unknown');
      return;
    }
    if (!this.#isOut) {
      answer(this.#decide(request, path));
      return;
    }
    path.onFault('outage');
    const draw = path.random();
    // A third is stored but not acknowledged, a third is lost, a third waits for the new leader.
    if (draw < 1 / 3) this.#decide(request, path);
    else if (draw < 2 / 3) this.#held.push(() => answer(this.#decide(request, path)));
  }

  add(following: MemoryLogFollower): void {
    this.#followings.add(following);
  }

  remove(following: MemoryLogFollower): void {
    this.#followings.delete(following);
  }

  #decide({ sequence, message }: Request, path: LogPath): AppendOutcome {
    if (sequence !== this.last + 1) return 'conflict';
    this.store(message);
    path.onStored(this.last);
    return 'stored';
  }
}

/** One client's connection. Its callbacks run on the client's clock, never inside a call. */
export class MemoryLogConnection implements TrimmableLog {
  readonly #log: MemoryLog;
  readonly #clock: Clock;
  readonly #path: LogPath;
  readonly #requests: OrderedDelivery;
  readonly #acknowledgements: OrderedDelivery;
  readonly #followings: MemoryLogFollower[] = [];
  #isClosed = false;

  constructor(log: MemoryLog, clock: Clock, path: LogPath) {
    this.#log = log;
    this.#clock = clock;
    this.#path = path;
    this.#requests = new OrderedDelivery(log.clock);
    this.#acknowledgements = new OrderedDelivery(log.clock);
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    if (this.#isClosed) return;
    // A copy: a request in flight does not change with the sender's memory, nor die with it.
    const sent = new Uint8Array(message);
    const settle = this.#once<AppendOutcome>('unknown', (outcome) => {
      if (Buffer.compare(sent, message) !== 0) throw new Error('An append changed in flight.');
      done(outcome);
    });
    const arrive = (): void => {
      this.#log.take({ sequence, message: sent }, this.#path, (outcome) =>
        this.#answer(outcome, settle),
      );
    };
    const isReset = happens(this.#path, 'connection_reset');
    if (isReset) this.#clock.after(this.#delayMs(), () => settle('unknown'));
    if (this.#isCut('isMute') || happens(this.#path, 'append_lost')) return;
    this.#send(arrive, happens(this.#path, 'append_late'));
    if (happens(this.#path, 'append_twice')) this.#send(arrive, this.#path.random() < 0.5);
  }

  extent(done: (extent: Extent | undefined) => void): void {
    this.#ask(happens(this.#path, 'extent_unavailable'), done, () => {
      const { first, last } = this.#log;
      const clockMs = this.#log.clock.nowMs() + this.#log.skewMs;
      const idleMs = clockMs - this.#log.lastMs;
      if (!happens(this.#path, 'extent_stale')) return { first, last, clockMs, idleMs };
      const back = 1 + Math.floor(this.#path.random() * STALE_MESSAGES_MAX);
      return { first, last: Math.max(first - 1, last - back), clockMs, idleMs };
    });
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    this.#ask(happens(this.#path, 'read_unavailable'), done, () => {
      const { first, last } = this.#log;
      const exists = first <= sequence && sequence <= last;
      return exists ? new Uint8Array(this.#log.message(sequence)) : undefined;
    });
  }

  trim(first: number, done: (isTrimmed: boolean) => void): void {
    const answer = (isTrimmed: boolean | undefined) => done(isTrimmed === true);
    this.#ask<boolean>(false, answer, () => {
      if (first > this.#log.last) return false;
      this.#log.trim(first);
      return true;
    });
  }

  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription {
    const following = new MemoryLogFollower({
      log: this.#log,
      clock: this.#clock,
      path: this.#path,
      from,
      receive,
    });
    this.#followings.push(following);
    if (this.#isClosed) following.stop();
    return following;
  }

  /** The client died: it sends and receives nothing more. Its requests in flight still arrive. */
  close(): void {
    this.#isClosed = true;
    for (const following of this.#followings) following.stop();
  }

  #send(arrive: () => void, isLate: boolean): void {
    if (isLate) this.#log.clock.after(this.#delayMs() + this.#lateMs(), arrive);
    else this.#requests.send(this.#delayMs(), arrive);
  }

  #answer(outcome: AppendOutcome, settle: (outcome: AppendOutcome) => void): void {
    if (this.#isCut('isDeaf') || happens(this.#path, 'answer_lost')) return;
    const arrive = (): void => void this.#clock.soon(() => settle(outcome));
    // A refusal needs no quorum and may overtake an earlier acknowledgment.
    if (happens(this.#path, 'answer_late')) {
      this.#log.clock.after(this.#delayMs() + this.#lateMs(), arrive);
    } else if (outcome === 'stored') {
      this.#acknowledgements.send(this.#delayMs(), arrive);
    } else {
      this.#log.clock.after(this.#delayMs(), arrive);
    }
  }

  /** Only a leader of the log answers, perhaps a later one, over a path that is not cut. */
  #ask<Answer>(
    isUnavailable: boolean,
    done: (answer: Answer | undefined) => void,
    evaluate: () => Answer | undefined,
  ): void {
    const settle = this.#once<Answer | undefined>(undefined, done);
    if (isUnavailable || this.#isCut('isMute')) return;
    const arrive = (): void => {
      const answer = evaluate();
      this.#log.clock.after(this.#delayMs(), () => {
        if (!this.#isCut('isDeaf')) this.#clock.soon(() => settle(answer));
      });
    };
    this.#log.clock.after(this.#delayMs(), () => {
      if (!this.#log.isOut) {
        arrive();
        return;
      }
      this.#path.onFault('outage');
      if (this.#path.random() < 1 / 2) this.#log.hold(arrive);
    });
  }

  /** Settles once: with the first response, or with `otherwise` after the timeout. */
  #once<Answer>(otherwise: Answer, done: (answer: Answer) => void): (answer: Answer) => void {
    let isSettled = false;
    const timer = this.#clock.after(this.#path.timeoutMs, () => settle(otherwise));
    return settle;

    function settle(answer: Answer): void {
      if (isSettled) return;
      isSettled = true;
      timer.cancel();
      done(answer);
    }
  }

  #isCut(oneWay: 'isMute' | 'isDeaf'): boolean {
    const isCut = this.#path.isCut || this.#path[oneWay];
    if (isCut) this.#path.onFault('cut');
    return isCut;
  }

  #delayMs(): number {
    return drawMs(this.#path.random, this.#path.delayMs);
  }

  #lateMs(): number {
    return drawMs(this.#path.random, this.#path.lateMs);
  }
}
