// The gateway's end of the link. Sends commands in batches, asks again with the same ids after a
// change of leader, and tells exactly what is known: answered, certainly not taken, or unknown.
// It never reports a failure for a command that may have been applied.

import type { Command } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { BatchWriter } from './batch.ts';
import { decodeLeaderBeat, type LeaderBeat } from './beats.ts';
import {
  type BatchRefused,
  decodeReply,
  type ReceivedResult,
  type Results,
  type ResultsHeader,
} from './results.ts';
import { type LinkSubjects, linkSubjects } from './subjects.ts';

/**
 * answered:  it stands in the log, and this came of it.
 * not_taken: it is not in the log and never will be. May be sent again, as a new command.
 * unknown:   it may be in the log. The same client order id or channel position asks safely.
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly result: ReceivedResult; readonly frame: ResultsHeader }
  | { readonly kind: 'not_taken'; readonly reason: 'busy' | 'too_old' | 'malformed' | 'no_leader' }
  | { readonly kind: 'unknown' };

export interface CommandClientOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** This session's, never used before: the ids of its commands must be new. */
  readonly source: number;
  /** Commands waiting for an answer; one more is refused as busy. */
  readonly pendingMax: number;
  /** How long without an answer until a command is sent again; grows with each time. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** How often to look for commands that wait too long. */
  readonly tickMs: number;
  onClosed?(): void;
}

export const COMMAND_CLIENT_DEFAULTS = {
  pendingMax: 65_536,
  retryMs: 1_000,
  retryMsMax: 4_000,
  tickMs: 50,
};

/** A batch that was sent, and those of its commands that still wait. */
interface Attempt {
  readonly pendings: Pending[];
  open: number;
}

interface Pending {
  readonly command: Command;
  readonly done: (outcome: Outcome) => void;
  readonly deadlineMs: number;
  /** How many commands the log had, for all we knew, when this one was first sent; -1 before. */
  floor: number;
  /** The batch it is in; 0 when it is in none whose fate is open. */
  batch: number;
  attempt: Attempt | undefined;
  /** It waits to be sent: it stands among #unsent. */
  isUnsent: boolean;
  retryAtMs: number;
  retryMs: number;
  /** An earlier copy of it may have been applied. */
  isUncertain: boolean;
}

export class CommandClient {
  readonly #options: CommandClientOptions;
  readonly #subjects: LinkSubjects;
  readonly #subscriptions: Subscription[];
  readonly #writer = new BatchWriter();
  readonly #pending = new Map<number, Pending>();
  readonly #attempts = new Map<number, Attempt>();
  /** Those that wait to be sent, each once; and some that were resolved while they waited. */
  #unsent: Pending[] = [];
  #numbers = 0;
  #batches = 0;
  #epoch = 0;
  #leader: LeaderBeat['state'] | 'unheard' = 'unheard';
  #commandsApplied = 0;
  /** When the first of those that the next flush will send came. */
  #sentMs = 0;
  #flush: Timer | undefined;
  #tick: Timer | undefined;
  #isClosed = false;

  constructor(options: CommandClientOptions) {
    this.#options = options;
    this.#subjects = linkSubjects(options.exchange);
    const { bus, source } = options;
    this.#subscriptions = [
      bus.subscribe(this.#subjects.resultsFor(source), (message) => this.#hearReply(message)),
      bus.subscribe(this.#subjects.leader, (message) => this.#hearBeat(message)),
    ];
  }

  /** The epoch of the last leader heard; 0 before the first. */
  get epoch(): number {
    return this.#epoch;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** The id of the next command: each is used for one command only. */
  nextId(): { source: number; number: number } {
    return { source: this.#options.source, number: ++this.#numbers };
  }

  /** `done` is called exactly once, not later than `timeoutMs` from now. */
  send(command: Command, timeoutMs: number, done: (outcome: Outcome) => void): void {
    const { clock, pendingMax, retryMs } = this.#options;
    if (this.#isClosed || this.#pending.size >= pendingMax) {
      done({ kind: 'not_taken', reason: 'busy' });
      return;
    }
    // One look at the clock for all that come in the same turn of the event loop.
    if (this.#flush === undefined) this.#sentMs = clock.elapsedMs();
    const pending: Pending = {
      command,
      done,
      deadlineMs: this.#sentMs + timeoutMs,
      floor: -1,
      batch: 0,
      attempt: undefined,
      isUnsent: false,
      retryAtMs: 0,
      retryMs,
      isUncertain: false,
    };
    this.#pending.set(command.number, pending);
    this.#addUnsent(pending);
    this.#flushSoon();
    this.#tick ??= clock.after(this.#options.tickMs, () => this.#lookForLate());
  }

  /** Commands still open are reported as they stand. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#flush?.cancel();
    this.#tick?.cancel();
    for (const pending of [...this.#pending.values()]) this.#giveUp(pending);
    this.#options.onClosed?.();
  }

  #addUnsent(pending: Pending): void {
    if (pending.isUnsent) return;
    pending.isUnsent = true;
    this.#unsent.push(pending);
  }

  #flushSoon(): void {
    this.#flush ??= this.#options.clock.soon(() => {
      this.#flush = undefined;
      this.#sendUnsent();
    });
  }

  /** What can not be sent now waits for the next leader. */
  #sendUnsent(): void {
    if (this.#leader === 'unheard' || this.#leader === 'leaving') return;
    const waiting = this.#unsent;
    this.#unsent = [];
    const malformed: Pending[] = [];
    let attempt: Attempt = { pendings: [], open: 0 };
    for (const pending of waiting) {
      if (!pending.isUnsent) continue;
      pending.isUnsent = false;
      try {
        this.#writer.add(pending.command);
      } catch {
        malformed.push(pending);
        continue;
      }
      attempt.pendings.push(pending);
      if (!this.#writer.isFull) continue;
      this.#sendAttempt(attempt);
      attempt = { pendings: [], open: 0 };
    }
    if (attempt.pendings.length > 0) this.#sendAttempt(attempt);
    // Not before: whoever is told may close the client while a batch is half made.
    for (const pending of malformed) {
      this.#resolve(pending, { kind: 'not_taken', reason: 'malformed' });
    }
  }

  #sendAttempt(attempt: Attempt): void {
    const { bus, clock, source } = this.#options;
    const batch = ++this.#batches;
    const nowMs = clock.elapsedMs();
    let floor = this.#commandsApplied;
    for (const pending of attempt.pendings) {
      if (pending.floor < 0) pending.floor = this.#commandsApplied;
      else floor = Math.min(floor, pending.floor);
      pending.batch = batch;
      pending.attempt = attempt;
      pending.retryAtMs = nowMs + pending.retryMs;
      pending.retryMs = Math.min(2 * pending.retryMs, this.#options.retryMsMax);
    }
    attempt.open = attempt.pendings.length;
    this.#attempts.set(batch, attempt);
    const header = { source, batch, epoch: this.#epoch, floor };
    bus.publish(this.#subjects.commands, this.#writer.close(header));
  }

  #hearReply(message: Uint8Array): void {
    // The message is the bus's own, and the results keep it for their events: hence the copy.
    const reply = decodeReply(new Uint8Array(message));
    if (reply?.kind === 'results') this.#hearResults(reply);
    else if (reply !== undefined) this.#hearRefusal(reply);
  }

  #hearResults({ results, ...frame }: Results): void {
    this.#commandsApplied = Math.max(this.#commandsApplied, frame.commandsApplied);
    for (const result of results) {
      const pending = this.#pending.get(result.number);
      if (pending !== undefined) this.#resolve(pending, { kind: 'answered', result, frame });
    }
  }

  #hearRefusal({ batch, reason }: BatchRefused): void {
    const attempt = this.#attempts.get(batch);
    if (attempt === undefined) return;
    this.#attempts.delete(batch);
    for (const pending of attempt.pendings) {
      if (pending.batch !== batch || !this.#pending.has(pending.command.number)) continue;
      pending.batch = 0;
      pending.attempt = undefined;
      if (reason === 'not_leading') this.#addUnsent(pending);
      else if (!pending.isUncertain) this.#resolve(pending, { kind: 'not_taken', reason });
      else if (reason !== 'busy') this.#resolve(pending, { kind: 'unknown' });
    }
  }

  #hearBeat(message: Uint8Array): void {
    const beat = decodeLeaderBeat(message);
    if (beat === undefined || beat.epoch < this.#epoch) return;
    const isNew = beat.epoch > this.#epoch;
    const couldNotSend = this.#leader === 'unheard' || this.#leader === 'leaving';
    this.#epoch = beat.epoch;
    this.#leader = beat.state;
    this.#commandsApplied = Math.max(this.#commandsApplied, beat.commandsApplied);
    if (isNew) this.#sendAllAgain();
    else if (couldNotSend && this.#unsent.length > 0) this.#flushSoon();
  }

  /** A new leader knows nothing of what was sent to the last one. */
  #sendAllAgain(): void {
    this.#attempts.clear();
    this.#unsent = [...this.#pending.values()];
    for (const pending of this.#unsent) {
      this.#makeUncertain(pending);
      pending.isUnsent = true;
    }
    this.#flushSoon();
  }

  #makeUncertain(pending: Pending): void {
    if (pending.batch !== 0) pending.isUncertain = true;
    this.#leaveAttempt(pending);
  }

  #leaveAttempt(pending: Pending): void {
    const { attempt, batch } = pending;
    if (attempt !== undefined && --attempt.open === 0) this.#attempts.delete(batch);
    pending.attempt = undefined;
    pending.batch = 0;
  }

  #lookForLate(): void {
    const { clock, tickMs } = this.#options;
    const nowMs = clock.elapsedMs();
    for (const pending of [...this.#pending.values()]) {
      if (pending.deadlineMs <= nowMs) this.#giveUp(pending);
      else if (this.#leader === 'leading' && this.#isLate(pending, nowMs)) {
        this.#makeUncertain(pending);
        this.#addUnsent(pending);
        this.#flushSoon();
      }
    }
    // Without a leader nothing is sent, and those given up would stay for ever.
    const hasResolved = this.#unsent.length > this.#pending.size;
    if (hasResolved) this.#unsent = this.#unsent.filter(({ isUnsent }) => isUnsent);
    const isNeeded = this.#pending.size > 0 && !this.#isClosed;
    this.#tick = isNeeded ? clock.after(tickMs, () => this.#lookForLate()) : undefined;
  }

  /** While a leader waits for the log it keeps what it was sent: asking again would not help. */
  #isLate({ floor, retryAtMs }: Pending, nowMs: number): boolean {
    return floor >= 0 && retryAtMs <= nowMs;
  }

  #giveUp(pending: Pending): void {
    const isOpen = pending.isUncertain || pending.batch !== 0;
    this.#resolve(
      pending,
      isOpen ? { kind: 'unknown' } : { kind: 'not_taken', reason: 'no_leader' },
    );
  }

  /** Whoever is told may close the client, which resolves all the others. */
  #resolve(pending: Pending, outcome: Outcome): void {
    if (!this.#pending.delete(pending.command.number)) return;
    pending.isUnsent = false;
    this.#leaveAttempt(pending);
    pending.done(outcome);
  }
}
