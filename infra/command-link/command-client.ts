// The gateway's end of the link. It sends commands in batches, resends them with the same ids after
// a change of leader, and reports exactly what is known: answered, certainly not taken, or unknown.
// It never reports a failure for a command that might have been applied.

import type { Command } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { BatchWriter } from './batch.ts';
import { decodeLeaderHeartbeat, type LeaderHeartbeat } from './heartbeats.ts';
import {
  type BatchRefusal,
  type BatchRefused,
  decodeReply,
  type ReceivedResult,
  type Results,
  type ResultsHeader,
} from './results.ts';
import { type LinkSubjects, linkSubjects } from './subjects.ts';

/** Why a command is certainly not in the log. */
type NotTaken = Exclude<BatchRefusal, 'not_leading'> | 'no_leader';

/**
 * answered:  the command is in the log, with this result.
 * not_taken: it is not in the log and never will be. It can be sent again, as a new command.
 * unknown:   it might be in the log. Asking by client order id or channel position is safe.
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly result: ReceivedResult; readonly frame: ResultsHeader }
  | { readonly kind: 'not_taken'; readonly reason: NotTaken }
  | { readonly kind: 'unknown' };

export interface CommandClientOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** The name of this process's identity: its batches travel under it. */
  readonly sender: string;
  /** Unique to this session and never used before, so its command ids are new. */
  readonly source: number;
  /** Maximum number of commands awaiting a response; further commands are refused as busy. */
  readonly pendingMax: number;
  /** Time without a response until a command is resent; doubles with each resend. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** How often to check for late commands and deadlines. */
  readonly tickMs: number;
  onClosed?(): void;
}

export const COMMAND_CLIENT_DEFAULTS = {
  pendingMax: 65_536,
  retryMs: 1_000,
  retryMsMax: 4_000,
  tickMs: 50,
};

/** A longer gap between two ticks was a pause of this process: answers may wait in the socket. */
const OWN_PAUSE_TICKS = 5;

/** A batch that was sent, with the number of its commands that are still open. */
interface Attempt {
  readonly pendings: Pending[];
  open: number;
}

interface Pending {
  readonly command: Command;
  readonly done: (outcome: Outcome) => void;
  readonly deadlineMs: number;
  /** The known number of commands in the log when this one was first sent; -1 before. */
  floor: number;
  /** The batch that holds it; 0 when no batch with an open outcome does. */
  batch: number;
  attempt: Attempt | undefined;
  /** It waits in #unsent. */
  isUnsent: boolean;
  retryAtMs: number;
  retryMs: number;
  /** An earlier copy might have been applied. */
  isUncertain: boolean;
}

export class CommandClient {
  readonly #options: CommandClientOptions;
  readonly #subjects: LinkSubjects;
  readonly #subscriptions: Subscription[];
  readonly #writer = new BatchWriter();
  readonly #pending = new Map<number, Pending>();
  readonly #attempts = new Map<number, Attempt>();
  /** Commands that wait to be sent, each once; may include some that were resolved meanwhile. */
  #unsent: Pending[] = [];
  #numbers = 0;
  #batches = 0;
  #epoch = 0;
  #leader: LeaderHeartbeat['state'] | 'unknown' = 'unknown';
  #commandsApplied = 0;
  /** When the first command of the next flush was submitted. */
  #sentMs = 0;
  #flush: Timer | undefined;
  #tickTimer: Timer | undefined;
  #tickedMs = 0;
  #isClosed = false;

  constructor(options: CommandClientOptions) {
    this.#options = options;
    this.#subjects = linkSubjects(options.exchange);
    const { bus, sender, source } = options;
    this.#subscriptions = [
      bus.subscribe(this.#subjects.resultsFor(sender, source), (message) => this.#onReply(message)),
      bus.subscribe(this.#subjects.leader, (message) => this.#onHeartbeat(message)),
    ];
  }

  /** The epoch of the latest known leader; 0 before the first heartbeat. */
  get epoch(): number {
    return this.#epoch;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** The id of the next command. Each id is used for one command only. */
  nextId(): { source: number; number: number } {
    return { source: this.#options.source, number: ++this.#numbers };
  }

  /** Calls `done` exactly once, within `timeoutMs` from now. */
  send(command: Command, timeoutMs: number, done: (outcome: Outcome) => void): void {
    const { clock, pendingMax, retryMs } = this.#options;
    if (this.#isClosed || this.#pending.size >= pendingMax) {
      done({ kind: 'not_taken', reason: 'busy' });
      return;
    }
    // The clock is read once for all commands of the same turn of the event loop.
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
    if (this.#tickTimer === undefined) this.#tickLater(clock.elapsedMs());
  }

  /** Reports every open command with what is known about it. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#flush?.cancel();
    this.#tickTimer?.cancel();
    for (const pending of [...this.#pending.values()]) this.#abandon(pending);
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

  /** Commands that cannot be sent now wait for the next leader. */
  #sendUnsent(): void {
    if (this.#leader === 'unknown' || this.#leader === 'leaving') return;
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
    // Not earlier: a callback can close the client while a batch is half built.
    for (const pending of malformed) {
      this.#resolve(pending, { kind: 'not_taken', reason: 'malformed' });
    }
  }

  #sendAttempt(attempt: Attempt): void {
    const { bus, clock, sender, source } = this.#options;
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
    bus.publish(this.#subjects.commandsFrom(sender), this.#writer.close(header));
  }

  #onReply(message: Uint8Array): void {
    // The bus owns the message, and the results keep it for their events, so copy it.
    const reply = decodeReply(new Uint8Array(message));
    if (reply?.kind === 'results') this.#onResults(reply);
    else if (reply !== undefined) this.#onRefusal(reply);
  }

  #onResults({ results, ...frame }: Results): void {
    this.#commandsApplied = Math.max(this.#commandsApplied, frame.commandsApplied);
    for (const result of results) {
      const pending = this.#pending.get(result.number);
      if (pending !== undefined) this.#resolve(pending, { kind: 'answered', result, frame });
    }
  }

  #onRefusal({ batch, reason }: BatchRefused): void {
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

  #onHeartbeat(message: Uint8Array): void {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat === undefined || heartbeat.epoch < this.#epoch) return;
    const isNew = heartbeat.epoch > this.#epoch;
    const couldNotSend = this.#leader === 'unknown' || this.#leader === 'leaving';
    this.#epoch = heartbeat.epoch;
    this.#leader = heartbeat.state;
    this.#commandsApplied = Math.max(this.#commandsApplied, heartbeat.commandsApplied);
    if (isNew) this.#resendAll();
    else if (couldNotSend && this.#unsent.length > 0) this.#flushSoon();
  }

  /** A new leader knows nothing about batches sent to its predecessor. */
  #resendAll(): void {
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
    this.#detach(pending);
  }

  #detach(pending: Pending): void {
    const { attempt, batch } = pending;
    if (attempt !== undefined && --attempt.open === 0) this.#attempts.delete(batch);
    pending.attempt = undefined;
    pending.batch = 0;
  }

  #tick(): void {
    const { clock, tickMs } = this.#options;
    const nowMs = clock.elapsedMs();
    const pausedMs = nowMs - this.#tickedMs - tickMs;
    if (pausedMs > OWN_PAUSE_TICKS * tickMs) {
      for (const pending of this.#pending.values()) pending.retryAtMs += pausedMs;
      this.#tickLater(nowMs);
      return;
    }
    for (const pending of [...this.#pending.values()]) {
      if (pending.deadlineMs <= nowMs) this.#abandon(pending);
      else if (this.#leader === 'leading' && this.#isLate(pending, nowMs)) {
        this.#makeUncertain(pending);
        this.#addUnsent(pending);
        this.#flushSoon();
      }
    }
    // Without a leader nothing is sent, and resolved commands would stay in #unsent.
    const hasResolved = this.#unsent.length > this.#pending.size;
    if (hasResolved) this.#unsent = this.#unsent.filter(({ isUnsent }) => isUnsent);
    this.#tickTimer = undefined;
    if (this.#pending.size > 0 && !this.#isClosed) this.#tickLater(nowMs);
  }

  #tickLater(nowMs: number): void {
    const { clock, tickMs } = this.#options;
    this.#tickedMs = nowMs;
    this.#tickTimer = clock.after(tickMs, () => this.#tick());
  }

  /** A leader that waits for the log keeps its batches, so a resend would not help. */
  #isLate({ floor, retryAtMs }: Pending, nowMs: number): boolean {
    return floor >= 0 && retryAtMs <= nowMs;
  }

  #abandon(pending: Pending): void {
    const isOpen = pending.isUncertain || pending.batch !== 0;
    this.#resolve(
      pending,
      isOpen ? { kind: 'unknown' } : { kind: 'not_taken', reason: 'no_leader' },
    );
  }

  /** A callback can close the client, which resolves all the other commands. */
  #resolve(pending: Pending, outcome: Outcome): void {
    if (!this.#pending.delete(pending.command.number)) return;
    pending.isUnsent = false;
    this.#detach(pending);
    pending.done(outcome);
  }
}
