// The one way to read a log: from any place on, each message once, in order, none left out and
// none torn. What the log delivers twice is dropped; what it leaves out or damages is asked for
// again. It gives up, loudly, only on what the log's own leader holds damaged or no longer has.

import type { Clock, Timer } from '../process/index.ts';
import type { LogStream, LogSubscription } from './log-port.ts';

export interface LogReaderOptions<Opened> {
  readonly log: LogStream;
  readonly clock: Clock;
  /** The first message wanted. */
  readonly from: number;
  /** How long to wait before asking again, and how often to see whether deliveries go on. */
  readonly retryMs: number;
  readonly watchMs: number;
  /** Checks the bytes and makes of them what is delivered; undefined when they are not whole. */
  open(message: Uint8Array): Opened | undefined;
  /** The bytes belong to the log: copy what is kept. */
  receive(opened: Opened, sequence: number): void;
  /**
   * The log says that it has the next message, and does not give it: some node has lost a part of
   * its copy. It is asked on, and this is called again from time to time.
   */
  onStuck?(reason: string): void;
  /** The message can not be had. Called once; nothing follows. */
  onLost(reason: string): void;
}

/** A damaged copy may be one node's; the log's leader may change. Then it is lost. */
const DAMAGED_READS_MAX = 20;

/** A log that changes its leader is silent for some seconds; after more somebody should know. */
const LOOKS_IN_VAIN = 20;

/**
 * following: messages arrive. fetching: one arrived torn and is read by itself. stopped.
 */
type State = 'following' | 'fetching' | 'stopped';

export class LogReader<Opened> {
  readonly #options: LogReaderOptions<Opened>;
  #next: number;
  #state: State = 'following';
  #following: LogSubscription | undefined;
  #watch: Timer | undefined;
  /** Deliveries of an earlier following mean nothing any more. */
  #round = 0;
  #nextWhenWatched = 0;
  #damagedReads = 0;
  #looksInVain = 0;

  constructor(options: LogReaderOptions<Opened>) {
    this.#options = options;
    this.#next = options.from;
    this.#follow();
    this.#watchLater();
  }

  /** The next message that will be delivered. */
  get next(): number {
    return this.#next;
  }

  stop(): void {
    this.#state = 'stopped';
    this.#following?.stop();
    this.#watch?.cancel();
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
    // A gap is followed up by the watch, so that a log which only reorders is not asked in haste.
    if (sequence > this.#next) return;
    const opened = this.#options.open(message);
    if (opened === undefined) this.#fetch();
    else this.#deliver(opened);
  }

  #deliver(opened: Opened): void {
    const sequence = this.#next;
    this.#next++;
    this.#damagedReads = 0;
    this.#looksInVain = 0;
    this.#options.receive(opened, sequence);
  }

  #fetch(): void {
    this.#state = 'fetching';
    this.#following?.stop();
    this.#options.log.read(this.#next, (message) => {
      if (this.#state !== 'fetching') return;
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

  #watchLater(): void {
    this.#nextWhenWatched = this.#next;
    this.#watch = this.#options.clock.after(this.#options.watchMs, () => this.#lookAround());
  }

  /** When the log has more and nothing came, the deliveries have stopped or left something out. */
  #lookAround(): void {
    if (this.#state === 'stopped') return;
    if (this.#next !== this.#nextWhenWatched) {
      this.#watchLater();
      return;
    }
    this.#options.log.extent((extent) => {
      if (this.#state === 'stopped') return;
      if (extent !== undefined) {
        if (extent.first > this.#next) {
          this.#lose(`the log begins at ${extent.first}, message ${this.#next} is gone`);
          return;
        }
        const isStill = this.#next === this.#nextWhenWatched;
        if (this.#state === 'following' && isStill && extent.last >= this.#next) {
          this.#lookInVain(extent.last);
        }
      }
      this.#watchLater();
    });
  }

  #lookInVain(last: number): void {
    if (++this.#looksInVain % LOOKS_IN_VAIN === 0) {
      this.#options.onStuck?.(`the log ends at ${last}, but message ${this.#next} does not come`);
    }
    this.#follow();
  }

  #lose(reason: string): void {
    this.stop();
    this.#options.onLost(reason);
  }
}
