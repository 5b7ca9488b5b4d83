// Reads that include every acknowledged write: before a user's rows are read, it asks for the end
// of the log and waits until the tables contain it. One request serves all readers that arrived
// before it was sent. Tables that lag behind an acknowledged write are never read.

import type { Bus, Subscription } from '../bus/index.ts';
import type { LogStream as JournalLog } from '../journal/index.ts';
import { ServerBehind } from '../postgres/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import {
  decodeProgress,
  encodeWanted,
  progressSubject,
  wantedSubject,
} from '../projections/index.ts';

export interface FreshReadsOptions {
  /** The command log; its leader is asked for the end. */
  readonly commands: Pick<JournalLog, 'extent'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** Connections to the projected tables. */
  readonly pool: { query(text: string): Promise<{ readonly rows: readonly Row[] }> };
  /** The longest time that a reader waits. */
  readonly timeoutMs: number;
  /**
   * While readers wait, the tables are polled at this interval, because progress messages may be
   * lost.
   */
  readonly pollEveryMs: number;
  /** Pause before the log is queried again if it did not return its end. */
  readonly retryAfterMs: number;
}

export const FRESH_READS_DEFAULTS = { timeoutMs: 3_000, pollEveryMs: 250, retryAfterMs: 50 };

/** A bigint column, as the driver returns it. */
type Row = { readonly frame?: string | number };

interface Waiting {
  readonly frame: number;
  readonly done: (isFresh: boolean) => void;
}

interface EndReader {
  /** Its time is over. */
  isGone: boolean;
  readonly received: (frame: number) => void;
}

export class FreshReads {
  readonly #options: FreshReadsOptions;
  readonly #subscription: Subscription;
  /** The tables contain all events of this frame. */
  #projected = 0;
  /** Last frame that the projector was asked for. */
  #wanted = 0;
  readonly #waiting = new Set<Waiting>();
  /** Readers that arrived after the current request was sent wait in `#next` for the next one. */
  #isRequesting = false;
  #next: EndReader[] = [];
  #retryTimer: Timer | undefined;
  #pollTimer: Timer | undefined;
  #isPolling = false;

  constructor(options: FreshReadsOptions) {
    this.#options = options;
    const subject = progressSubject(options.exchange);
    this.#subscription = options.bus.subscribe(subject, (message) => {
      const progress = decodeProgress(message);
      if (progress !== undefined) this.#advance(progress.frame);
    });
  }

  /** The last frame known to be in the tables. */
  get projectedFrame(): number {
    return this.#projected;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** True when the tables contain everything acknowledged before this call; false on a timeout. */
  async untilFresh(timeoutMs: number = this.#options.timeoutMs): Promise<boolean> {
    const startMs = this.#options.clock.elapsedMs();
    const frame = await this.#logEnd(timeoutMs);
    if (frame === undefined) return false;
    const leftMs = timeoutMs - (this.#options.clock.elapsedMs() - startMs);
    return this.untilFrame(frame, leftMs);
  }

  /** True when the tables contain this frame. */
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
      this.#want(frame);
      this.#pollTimer ??= this.#pollLater();
    });
  }

  /**
   * Sees each new connection to the tables. It may lead to a promoted replica that lacks frames of
   * the lost server: then readers wait for them again, and this one is refused.
   */
  async verify(connection: FreshReadsOptions['pool']): Promise<void> {
    const frame = await readFrame(connection);
    if (frame >= this.#projected) return;
    const reason = `the tables have frame ${frame}, and had ${this.#projected} before`;
    this.#projected = frame;
    this.#wanted = frame;
    throw new ServerBehind(reason);
  }

  stop(): void {
    this.#subscription.stop();
    this.#pollTimer?.cancel();
    this.#retryTimer?.cancel();
    for (const { done } of [...this.#waiting]) done(false);
  }

  /** Undefined if it is not known in time. */
  #logEnd(timeoutMs: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(timeoutMs, () => {
        reader.isGone = true;
        resolve(undefined);
      });
      const reader: EndReader = {
        isGone: false,
        received(frame) {
          timer.cancel();
          resolve(frame);
        },
      };
      this.#next.push(reader);
      if (!this.#isRequesting) this.#requestEnd();
    });
  }

  #requestEnd(): void {
    const requested = this.#next;
    this.#next = [];
    this.#isRequesting = true;
    this.#options.commands.extent((extent) => {
      if (extent === undefined) {
        this.#requestAgain(requested);
        return;
      }
      this.#isRequesting = false;
      if (this.#next.length > 0) this.#requestEnd();
      for (const { received } of requested) received(extent.last);
    });
  }

  /** A lost response does not fail readers that have time left. */
  #requestAgain(unanswered: readonly EndReader[]): void {
    const { clock, retryAfterMs } = this.#options;
    this.#next = [...unanswered, ...this.#next];
    this.#retryTimer = clock.after(retryAfterMs, () => {
      this.#next = this.#next.filter(({ isGone }) => !isGone);
      if (this.#next.length > 0) this.#requestEnd();
      else this.#isRequesting = false;
    });
  }

  #advance(frame: number): void {
    if (frame <= this.#projected) return;
    this.#projected = frame;
    for (const waiting of [...this.#waiting]) if (waiting.frame <= frame) waiting.done(true);
  }

  /** The projector then commits without gathering more events. */
  #want(frame: number): void {
    if (frame <= this.#wanted) return;
    this.#wanted = frame;
    const { bus, exchange } = this.#options;
    bus.publish(wantedSubject(exchange), encodeWanted(frame));
  }

  #pollLater(): Timer {
    return this.#options.clock.after(this.#options.pollEveryMs, () => {
      this.#pollTimer = undefined;
      if (this.#waiting.size === 0) return;
      this.#pollTimer = this.#pollLater();
      if (!this.#isPolling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    try {
      this.#advance(await readFrame(this.#options.pool));
    } catch {
      // Readers get false when their time is over.
    } finally {
      this.#isPolling = false;
    }
  }
}

/** The last frame of which the tables contain all events. */
async function readFrame(tables: FreshReadsOptions['pool']): Promise<number> {
  const { rows } = await tables.query(
    `select case when is_complete then frame_sequence else frame_sequence - 1 end as frame
     from projection`,
  );
  return Number(rows[0]?.frame ?? 0);
}
