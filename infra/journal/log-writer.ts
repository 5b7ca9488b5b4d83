// Appends to a log: one message in flight at a time, at its expected position. After an unknown
// outcome it asks the log and resolves it. A writer that finds another writer's message in its
// place is fenced and must stop. It never drops a message that the log has not acknowledged. NOTE:
// never two in flight, see docs/decisions/0009-journal.md: the second could be stored alone.

import type { Clock } from '../process/index.ts';
import { LogEnd } from './log-end.ts';
import type { AppendOutcome, Extent, LogStream } from './log-port.ts';
import { equalBytes } from './sealed-frame.ts';

export interface LogWriterOptions {
  readonly log: LogStream;
  readonly clock: Clock;
  /** The log's last message: the first append gets the next sequence. */
  readonly last: number;
  /** Delay before the log is queried again while it does not respond. */
  readonly retryMs: number;
  /** The log has the message and all before it. Called in order, once for each. */
  onStored(sequence: number): void;
  /** Another writer's message is where one of ours belongs. Called once; nothing follows. */
  onFenced(reason: string): void;
  /** The log no longer has messages that it acknowledged. Called once; nothing follows. */
  onLost(reason: string): void;
}

/**
 * idle:        nothing to append.
 * sending:     the first pending message is in flight.
 * reconciling: its outcome was not 'stored'. If the log has it, it is stored; if the log has
 * nothing
 *              in its place, it is sent again; otherwise the writer is fenced.
 * stopped:     fenced, or stopped by the caller, or the log has lost messages.
 */
type State = 'idle' | 'sending' | 'reconciling' | 'stopped';

export class LogWriter {
  readonly #options: LogWriterOptions;
  /** Not yet known to be stored, in order; the first has sequence #stored + 1. */
  readonly #pending: { readonly message: Uint8Array; readonly appendedAtMs: number }[] = [];
  #stored: number;
  #storedAtMs: number;
  #state: State = 'idle';
  #reconciliations = 0;
  /** How often the message in flight has been sent. */
  #sends = 0;
  readonly #end: LogEnd;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#stored = options.last;
    this.#storedAtMs = options.clock.elapsedMs();
    this.#end = new LogEnd(options.clock);
  }

  /** The last sequence known to be stored. */
  get stored(): number {
    return this.#stored;
  }

  /** Messages not known to be stored yet, including the one in flight. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Age of the oldest message that is not known to be stored; 0 if there is none. */
  get unacknowledgedMs(): number {
    const [first] = this.#pending;
    return first === undefined ? 0 : this.#options.clock.elapsedMs() - first.appendedAtMs;
  }

  /** Since the last acknowledgment, or since the writer began. */
  get acknowledgedMs(): number {
    return this.#options.clock.elapsedMs() - this.#storedAtMs;
  }

  get isReconciling(): boolean {
    return this.#state === 'reconciling';
  }

  /** How often an outcome was not known immediately. */
  get reconciliations(): number {
    return this.#reconciliations;
  }

  /** Returns the sequence that the message will have. The bytes must not change any more. */
  append(message: Uint8Array): number {
    this.#pending.push({ message, appendedAtMs: this.#options.clock.elapsedMs() });
    if (this.#state === 'idle') this.#send();
    return this.#stored + this.#pending.length;
  }

  stop(): void {
    this.#state = 'stopped';
  }

  #send(): void {
    this.#state = 'sending';
    this.#sends++;
    this.#options.log.append(this.#stored + 1, this.#pending[0].message, (outcome) => {
      if (this.#state === 'sending') this.#settle(outcome);
    });
  }

  #settle(outcome: AppendOutcome): void {
    if (outcome === 'stored') {
      this.#release();
      return;
    }
    this.#state = 'reconciling';
    this.#reconciliations++;
    // The first time it asks immediately; then it waits: a log without a leader does not answer.
    if (outcome === 'conflict' || this.#sends === 1) this.#reconcile();
    else this.#reconcileLater();
  }

  /** Sends the next message before the callback, so the log does not wait. */
  #release(): void {
    this.#pending.shift();
    this.#stored++;
    this.#storedAtMs = this.#options.clock.elapsedMs();
    this.#sends = 0;
    const stored = this.#stored;
    if (this.#pending.length > 0) this.#send();
    else this.#state = 'idle';
    this.#options.onStored(stored);
  }

  #reconcile(): void {
    this.#options.log.extent((extent) => {
      if (this.#state === 'reconciling') this.#compare(extent);
    });
  }

  #reconcileLater(): void {
    this.#options.clock.after(this.#options.retryMs, () => {
      if (this.#state === 'reconciling') this.#reconcile();
    });
  }

  #compare(extent: Extent | undefined): void {
    if (extent === undefined) {
      this.#reconcileLater();
      return;
    }
    const lost = this.#end.answered(extent.last, this.#stored);
    if (lost !== undefined) {
      this.#state = 'stopped';
      this.#options.onLost(lost);
      return;
    }
    // A response behind the acknowledged position is stale.
    if (extent.last < this.#stored) {
      this.#reconcileLater();
      return;
    }
    if (extent.last === this.#stored) {
      this.#send();
      return;
    }
    const sequence = this.#stored + 1;
    this.#options.log.read(sequence, (message) => {
      if (this.#state !== 'reconciling') return;
      if (message === undefined) this.#reconcileLater();
      else if (equalBytes(message, this.#pending[0].message)) this.#release();
      else this.#fence(`another writer stored message ${sequence}`);
    });
  }

  #fence(reason: string): void {
    this.#state = 'stopped';
    this.#options.onFenced(reason);
  }
}
