// Waits for the outcomes of commands in the outbox. The dispatcher publishes outcomes on the bus;
// because a message may be lost, the tables are polled as well. One subscription and one poll serve
// all waiters. Also defines the bus subjects and messages of the outbox.

import { REFUSALS } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { type RepeatableOutcome, readSettledCommands } from './engine-commands.ts';
import type { Ticket } from './enqueue.ts';
import { type EngineOutcome, type PositionOutcome, readOutcomes } from './outbox.ts';

/** With the ticket of its command. */
export type OutboxOutcome = PositionOutcome | RepeatableOutcome;

export interface OutboxSubjects {
  /** A row was appended and committed. The message is empty. */
  readonly waiting: string;
  /** The outcome of a command. */
  readonly settled: string;
}

export function outboxSubjects(exchange: string): OutboxSubjects {
  return { waiting: `${exchange}.outbox.waiting`, settled: `${exchange}.outbox.settled` };
}

export function encodeOutcome(outcome: OutboxOutcome): Uint8Array {
  return Buffer.from(JSON.stringify(outcome));
}

/** Undefined if the message is malformed. */
export function decodeOutcome(message: Uint8Array): OutboxOutcome | undefined {
  try {
    const { channel, frame, id, refusal, sequence, state } = JSON.parse(
      Buffer.from(message).toString(),
    ) as PositionOutcome & RepeatableOutcome;
    const ticket = id === undefined ? { channel, sequence } : { id };
    const isWhole = [frame, ...Object.values(ticket)].every(Number.isSafeInteger);
    const isKnown = REFUSALS.includes(refusal) && ['accepted', 'refused'].includes(state);
    return isWhole && isKnown ? { ...ticket, state, refusal, frame } : undefined;
  } catch {
    return undefined;
  }
}

export interface OutboxOutcomesOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** A pool of connections to the registry's schema. */
  readonly statements: Statements;
  /** The interval of polls while there are waiters. */
  readonly pollMs?: number;
  /** Beyond this many waiters, a new one resolves immediately with undefined. */
  readonly waitersMax?: number;
  /** The poll failed. Waiters still get outcomes from the bus. */
  onFault(fault: unknown): void;
}

interface Waiter {
  readonly ticket: Ticket;
  readonly done: (outcome: EngineOutcome | undefined) => void;
}

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;
const WAITERS_MAX = 10_000;
const EMPTY = new Uint8Array();

export class OutboxOutcomes {
  readonly #options: OutboxOutcomesOptions;
  readonly #subjects: OutboxSubjects;
  readonly #subscription: Subscription;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #timer: Timer | undefined;
  #isPolling = false;
  #mustPollAgain = false;
  #isStopped = false;

  constructor(options: OutboxOutcomesOptions) {
    this.#options = options;
    this.#subjects = outboxSubjects(options.exchange);
    this.#subscription = options.bus.subscribe(this.#subjects.settled, (message) => {
      const outcome = decodeOutcome(message);
      if (outcome !== undefined) this.#settle(outcome);
    });
  }

  /** Call after the commit, unless `wait` is called: it does the same. */
  wakeDispatcher(): void {
    this.#options.bus.publish(this.#subjects.waiting, EMPTY);
  }

  /**
   * Call after the commit. Undefined if the timeout passes first: the outcome is not known yet, and
   * the command will still have one.
   */
  wait(
    ticket: Ticket,
    { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
  ): Promise<EngineOutcome | undefined> {
    this.wakeDispatcher();
    const { clock, waitersMax = WAITERS_MAX } = this.#options;
    if (this.#isStopped || this.#waiting >= waitersMax) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const deadline = clock.after(timeoutMs, () => this.#resolve(waiter, undefined));
      const waiter: Waiter = {
        ticket,
        done(outcome) {
          deadline.cancel();
          resolve(outcome);
        },
      };
      const name = nameOf(ticket);
      this.#waiters.set(name, (this.#waiters.get(name) ?? new Set()).add(waiter));
      this.#waiting++;
      // The outcome may have been published between the commit and this subscription.
      if (this.#isPolling) this.#mustPollAgain = true;
      else this.#pollAfter(0);
    });
  }

  /** Resolves all waiters with undefined. */
  stop(): void {
    this.#isStopped = true;
    this.#subscription.stop();
    this.#timer?.cancel();
    for (const waiters of [...this.#waiters.values()]) {
      for (const waiter of [...waiters]) this.#resolve(waiter, undefined);
    }
  }

  #settle(outcome: OutboxOutcome): void {
    const name = nameOf('id' in outcome ? outcome.id : outcome);
    for (const waiter of [...(this.#waiters.get(name) ?? [])]) {
      this.#resolve(waiter, outcome);
    }
  }

  #resolve(waiter: Waiter, outcome: EngineOutcome | undefined): void {
    const name = nameOf(waiter.ticket);
    const waiters = this.#waiters.get(name);
    if (waiters?.delete(waiter) !== true) return;
    if (waiters.size === 0) this.#waiters.delete(name);
    this.#waiting--;
    waiter.done(outcome);
  }

  #pollAfter(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(delayMs, () => void this.#pollTable());
  }

  async #pollTable(): Promise<void> {
    const { onFault, pollMs = POLL_MS } = this.#options;
    this.#isPolling = true;
    this.#mustPollAgain = false;
    try {
      for (const outcome of await this.#readTables()) this.#settle(outcome);
    } catch (fault) {
      onFault(fault);
    }
    this.#isPolling = false;
    if (this.#waiting > 0 && !this.#isStopped) this.#pollAfter(this.#mustPollAgain ? 0 : pollMs);
  }

  /** Reads only tables with waiters: the gateway of users has no right to operators' commands. */
  async #readTables(): Promise<OutboxOutcome[]> {
    const { statements } = this.#options;
    const tickets = [...this.#waiters.values()].map(([{ ticket }]) => ticket);
    const positions = tickets.filter((ticket) => typeof ticket !== 'number');
    const ids = tickets.filter((ticket) => typeof ticket === 'number');
    return [
      ...(positions.length > 0 ? await readOutcomes(statements, positions) : []),
      ...(ids.length > 0 ? await readSettledCommands(statements, ids) : []),
    ];
  }
}

function nameOf(ticket: Ticket): string {
  return typeof ticket === 'number' ? `${ticket}` : `${ticket.channel}.${ticket.sequence}`;
}
