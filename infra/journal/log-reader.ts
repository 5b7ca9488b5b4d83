// Reads a log from any position: each message once, in order, none missing and none torn. It drops
// duplicates, and asks again for messages that are missing or damaged. It gives up only on messages
// that the log's leader holds damaged or no longer has, and on a log that ends before them.

import type { Clock, Timer } from '../process/index.ts';
import { LogEnd } from './log-end.ts';
import type { LogStream, LogSubscription } from './log-port.ts';

export interface LogReaderOptions<Opened> {
  readonly log: LogStream;
  readonly clock: Clock;
  /** The first message to deliver. */
  readonly from: number;
  /** The delay before a retry, and the interval at which progress is checked. */
  readonly retryMs: number;
  readonly watchMs: number;
  /** Checks and decodes a message; undefined when it is damaged. */
  open(message: Uint8Array): Opened | undefined;
  /** The bytes belong to the log: copy what is kept. */
  receive(opened: Opened, sequence: number): void;
  /**
   * The log claims to have the next message and does not deliver it: a node has lost a part of its
   * copy. The reader keeps trying, and calls this again from time to time.
   */
  onStalled?(reason: string): void;
  /** The message is permanently unavailable, or the log lost some. Called once; nothing follows. */
  onLost(reason: string): void;
}

/**
 * One node may have a damaged copy, and the log's leader may change; after this many, it is lost.
 */
const DAMAGED_READS_MAX = 20;

/**
 * A log that changes its leader is silent for some seconds; after more checks, onStalled is called.
 */
const STALLED_CHECKS = 20;

/**
 * following: messages arrive. fetching: one arrived damaged and is read individually. paused: the
 * receiver asked for nothing. stopped.
 */
type State = 'following' | 'fetching' | 'paused' | 'stopped';

export class LogReader<Opened> {
  readonly #options: LogReaderOptions<Opened>;
  #next: number;
  #state: State = 'following';
  #following: LogSubscription | undefined;
  #watchTimer: Timer | undefined;
  /** Deliveries of an earlier subscription are ignored. */
  #round = 0;
  #nextWhenChecked = 0;
  #damagedReads = 0;
  #stalledChecks = 0;
  readonly #end: LogEnd;

  constructor(options: LogReaderOptions<Opened>) {
    this.#options = options;
    this.#next = options.from;
    this.#end = new LogEnd(options.clock);
    this.#follow();
    this.#checkLater();
  }

  /** The next message that will be delivered. */
  get next(): number {
    return this.#next;
  }

  /** While paused, nothing is delivered; the log keeps it. */
  pause(isPaused: boolean): void {
    if (this.#state === 'stopped' || isPaused === (this.#state === 'paused')) return;
    if (!isPaused) {
      this.#follow();
      return;
    }
    this.#state = 'paused';
    this.#following?.stop();
  }

  stop(): void {
    this.#state = 'stopped';
    this.#following?.stop();
    this.#watchTimer?.cancel();
  }

  #follow(): void {
    this.#following?.stop();
    this.#state = 'following';
    const round = ++this.#round;
    const { log } = this.#options;
    this.#following = log.follow(this.#next, (sequence, message) => {
      if (round === this.#round && this.#state === 'following') this.#take(sequence, message);
    });
  }

  #take(sequence: number, message: Uint8Array): void {
    if (sequence < this.#next) return;
    // The next check handles a gap, so a log that only reorders causes no extra requests.
    if (sequence > this.#next) return;
    const opened = this.#options.open(message);
    if (opened === undefined) this.#fetch();
    else this.#deliver(opened);
  }

  #deliver(opened: Opened): void {
    const sequence = this.#next;
    this.#next++;
    this.#damagedReads = 0;
    this.#stalledChecks = 0;
    this.#options.receive(opened, sequence);
  }

  #fetch(): void {
    this.#state = 'fetching';
    this.#following?.stop();
    const wanted = this.#next;
    this.#options.log.read(wanted, (message) => {
      if (this.#state !== 'fetching' || this.#next !== wanted) return;
      const opened = message && this.#options.open(message);
      if (opened !== undefined) {
        this.#deliver(opened);
        if (this.#state === 'fetching') this.#follow();
      } else if (message !== undefined && ++this.#damagedReads >= DAMAGED_READS_MAX) {
        this.#lose(`message ${this.#next} is damaged`);
      } else {
        this.#options.clock.after(this.#options.retryMs, () => {
          if (this.#state === 'fetching') this.#fetch();
        });
      }
    });
  }

  #checkLater(): void {
    this.#nextWhenChecked = this.#next;
    this.#watchTimer = this.#options.clock.after(this.#options.watchMs, () =>
      this.#checkProgress(),
    );
  }

  /** If the log has more and nothing arrived, deliveries have stopped or left something out. */
  #checkProgress(): void {
    if (this.#state === 'stopped') return;
    if (this.#next !== this.#nextWhenChecked) {
      this.#checkLater();
      return;
    }
    this.#options.log.extent((extent) => {
      if (this.#state === 'stopped') return;
      if (extent !== undefined) {
        if (extent.first > this.#next) {
          this.#lose(`the log starts at ${extent.first}; message ${this.#next} no longer exists`);
          return;
        }
        const lost = this.#end.answered(extent.last, this.#next - 1);
        if (lost !== undefined) {
          this.#lose(lost);
          return;
        }
        const isUnchanged = this.#next === this.#nextWhenChecked;
        if (this.#state === 'following' && isUnchanged && extent.last >= this.#next) {
          this.#resubscribe(extent.last);
        }
      }
      this.#checkLater();
    });
  }

  #resubscribe(last: number): void {
    if (++this.#stalledChecks % STALLED_CHECKS === 0) {
      this.#options.onStalled?.(
        `the log ends at ${last}, but message ${this.#next} is not delivered`,
      );
    }
    this.#follow();
  }

  #lose(reason: string): void {
    this.stop();
    this.#options.onLost(reason);
  }
}
