// Reads that see every write: before a user's rows are read, the log is asked how far it is, and
// the tables are waited for. One question serves everybody who came before it was asked. It never
// answers from tables that are behind what anyone was told.

import type { Bus, Subscription } from '../bus/index.ts';
import type { LogStream as JournalLog } from '../journal/index.ts';
import type { Pool } from '../postgres/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { decodeProgress, progressSubject } from '../projections/index.ts';

export interface FreshReadsOptions {
  /** Where frames are; the log's own leader is asked for its end. */
  readonly commands: Pick<JournalLog, 'extent'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** Of the projected tables. */
  readonly pool: Pool;
  /** So long a reader waits at the most. */
  readonly timeoutMs: number;
  /** While somebody waits, the tables themselves are looked at so often: a message may be lost. */
  readonly lookEveryMs: number;
}

export const FRESH_READS_DEFAULTS = { timeoutMs: 3_000, lookEveryMs: 250 };

interface Waiting {
  readonly frame: number;
  readonly done: (isFresh: boolean) => void;
}

type Asked = (frame: number | undefined) => void;

export class FreshReads {
  readonly #options: FreshReadsOptions;
  readonly #subscription: Subscription;
  /** All events of this frame are in the tables. */
  #projected = 0;
  readonly #waiting = new Set<Waiting>();
  /** Those whose question is under way, and those who came after it was sent. */
  #isAsking = false;
  #next: Asked[] = [];
  #looking: Timer | undefined;
  #isLooking = false;

  constructor(options: FreshReadsOptions) {
    this.#options = options;
    const subject = progressSubject(options.exchange);
    this.#subscription = options.bus.subscribe(subject, (message) => {
      const progress = decodeProgress(message);
      if (progress !== undefined) this.#moveOn(progress.frame);
    });
  }

  /** How far the tables are, for all we know. */
  get projectedFrame(): number {
    return this.#projected;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** True when the tables have all that was acknowledged before this call; false in vain. */
  async untilFresh(): Promise<boolean> {
    const startMs = this.#options.clock.elapsedMs();
    const frame = await this.#logEnd();
    if (frame === undefined) return false;
    const leftMs = this.#options.timeoutMs - (this.#options.clock.elapsedMs() - startMs);
    return this.untilFrame(frame, leftMs);
  }

  /** True when the tables have this frame. */
  untilFrame(frame: number, timeoutMs: number = this.#options.timeoutMs): Promise<boolean> {
    if (frame <= this.#projected) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(timeoutMs, () => waiting.done(false));
      const waiting: Waiting = {
        frame,
        done: (isFresh) => {
          timer.cancel();
          this.#waiting.delete(waiting);
          resolve(isFresh);
        },
      };
      this.#waiting.add(waiting);
      this.#looking ??= this.#lookLater();
    });
  }

  stop(): void {
    this.#subscription.stop();
    this.#looking?.cancel();
    for (const { done } of [...this.#waiting]) done(false);
  }

  #logEnd(): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#next.push(resolve);
      if (!this.#isAsking) this.#ask();
    });
  }

  #ask(): void {
    const asked = this.#next;
    this.#next = [];
    this.#isAsking = true;
    this.#options.commands.extent((extent) => {
      this.#isAsking = false;
      if (this.#next.length > 0) this.#ask();
      for (const tell of asked) tell(extent?.last);
    });
  }

  #moveOn(frame: number): void {
    if (frame <= this.#projected) return;
    this.#projected = frame;
    for (const waiting of [...this.#waiting]) if (waiting.frame <= frame) waiting.done(true);
  }

  #lookLater(): Timer {
    return this.#options.clock.after(this.#options.lookEveryMs, () => {
      this.#looking = undefined;
      if (this.#waiting.size === 0) return;
      this.#looking = this.#lookLater();
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      const { rows } = await this.#options.pool.query(
        `select case when is_complete then frame_sequence else frame_sequence - 1 end as frame
         from projection`,
      );
      this.#moveOn(Number(rows[0]?.frame ?? 0));
    } catch {
      // Whoever waits is told that it was in vain, when the time is over.
    } finally {
      this.#isLooking = false;
    }
  }
}
