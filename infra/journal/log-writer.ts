// The one way to append to a log: one message under way at a time, at its expected place, and
// mended when the outcome is not known. Whoever finds another writer's message in its place has
// been replaced and must stop. It never forgets a message before the log has acknowledged it.
// NOTE: never two under way, see docs/decisions/0009-journal.md: the second could be stored alone.

import type { Clock } from '../process/index.ts';
import type { AppendOutcome, Extent, LogStream } from './log-port.ts';
import { equalBytes } from './sealed-frame.ts';

export interface LogWriterOptions {
  readonly log: LogStream;
  readonly clock: Clock;
  /** Where the log stands now: the first message appended gets the next sequence. */
  readonly last: number;
  /** How long to wait before asking the log again while it cannot answer. */
  readonly retryMs: number;
  /** The log has the message, and all before it. Called in order, once for each. */
  onStored(sequence: number): void;
  /** Another writer's message stands where one of ours should. Called once; nothing follows. */
  onFenced(reason: string): void;
}

/**
 * idle:    nothing to append.
 * sending: the first pending message is under way.
 * mending: its outcome was not 'stored'. If the log has it, it is stored; if the log has nothing
 *          in its place, it is sent again; if the log has something else, the writer is fenced.
 * stopped: fenced, or told to stop.
 */
type State = 'idle' | 'sending' | 'mending' | 'stopped';

export class LogWriter {
  readonly #options: LogWriterOptions;
  /** Not yet known to be stored, in order; the first has sequence #stored + 1. */
  readonly #pending: Uint8Array[] = [];
  #stored: number;
  #state: State = 'idle';
  #mendings = 0;
  /** How often the message under way has been sent. */
  #sends = 0;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#stored = options.last;
  }

  /** The last sequence that is known to be stored. */
  get stored(): number {
    return this.#stored;
  }

  /** Messages that are not known to be stored yet, the one under way included. */
  get pending(): number {
    return this.#pending.length;
  }

  get isReconciling(): boolean {
    return this.#state === 'mending';
  }

  /** How often an outcome was not known at once. */
  get mendings(): number {
    return this.#mendings;
  }

  /** Says the sequence that the message will have. The bytes must not change any more. */
  append(message: Uint8Array): number {
    this.#pending.push(message);
    if (this.#state === 'idle') this.#send();
    return this.#stored + this.#pending.length;
  }

  stop(): void {
    this.#state = 'stopped';
  }

  #send(): void {
    this.#state = 'sending';
    this.#sends++;
    this.#options.log.append(this.#stored + 1, this.#pending[0], (outcome) => {
      if (this.#state === 'sending') this.#settle(outcome);
    });
  }

  #settle(outcome: AppendOutcome): void {
    if (outcome === 'stored') {
      this.#release();
      return;
    }
    this.#state = 'mending';
    this.#mendings++;
    // Asking at once is worth it, except again and again: a log without a leader answers nothing.
    if (outcome === 'conflict' || this.#sends === 1) this.#mend();
    else this.#mendLater();
  }

  /** The next message goes out before anyone is told of this one: the log shall not wait. */
  #release(): void {
    this.#pending.shift();
    this.#stored++;
    this.#sends = 0;
    const stored = this.#stored;
    if (this.#pending.length > 0) this.#send();
    else this.#state = 'idle';
    this.#options.onStored(stored);
  }

  #mend(): void {
    this.#options.log.extent((extent) => {
      if (this.#state === 'mending') this.#compare(extent);
    });
  }

  #mendLater(): void {
    this.#options.clock.after(this.#options.retryMs, () => {
      if (this.#state === 'mending') this.#mend();
    });
  }

  #compare(extent: Extent | undefined): void {
    // An answer behind what was acknowledged is an old one: the log does not forget.
    if (extent === undefined || extent.last < this.#stored) {
      this.#mendLater();
      return;
    }
    if (extent.last === this.#stored) {
      this.#send();
      return;
    }
    const sequence = this.#stored + 1;
    this.#options.log.read(sequence, (message) => {
      if (this.#state !== 'mending') return;
      if (message === undefined) this.#mendLater();
      else if (equalBytes(message, this.#pending[0])) this.#release();
      else this.#fence(`another writer stored message ${sequence}`);
    });
  }

  #fence(reason: string): void {
    this.#state = 'stopped';
    this.#options.onFenced(reason);
  }
}
