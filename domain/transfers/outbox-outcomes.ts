// Waits for the outcome of an outbox position: the dispatcher publishes it on the bus, and as a
// message may be lost the table is asked as well. One subscription and one question serve all who
// wait. Also the words between those who append and the dispatcher.

import { REFUSALS } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { type OutboxOutcome, type OutboxPosition, readOutcomes } from './outbox.ts';

export interface OutboxSubjects {
  /** Something was appended and committed. Says nothing else. */
  readonly waiting: string;
  /** What came of a position. */
  readonly settled: string;
}

export function outboxSubjects(exchange: string): OutboxSubjects {
  return { waiting: `${exchange}.outbox.waiting`, settled: `${exchange}.outbox.settled` };
}

export function encodeOutcome(outcome: OutboxOutcome): Uint8Array {
  return Buffer.from(JSON.stringify(outcome));
}

/** Undefined when the message is something else. */
export function decodeOutcome(message: Uint8Array): OutboxOutcome | undefined {
  try {
    const { channel, frame, refusal, sequence, state } = JSON.parse(
      Buffer.from(message).toString(),
    ) as OutboxOutcome;
    const isWhole = [channel, frame, sequence].every(Number.isSafeInteger);
    const isKnown = REFUSALS.includes(refusal) && ['accepted', 'refused'].includes(state);
    return isWhole && isKnown ? { channel, sequence, state, refusal, frame } : undefined;
  } catch {
    return undefined;
  }
}

export interface OutboxOutcomesOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** A pool, in the registry's schema. */
  readonly statements: Statements;
  /** How often the table is asked while somebody waits. */
  readonly pollMs?: number;
  /** More may not wait at once; one more is answered as if its time were over. */
  readonly waitersMax?: number;
  /** The table could not be asked. Those who wait still hear the bus. */
  onFault(fault: unknown): void;
}

interface Waiter {
  readonly position: OutboxPosition;
  readonly done: (outcome: OutboxOutcome | undefined) => void;
}

const POLL_MS = 1_000;
const WAITERS_MAX = 10_000;
const NOTHING = new Uint8Array();

export class OutboxOutcomes {
  readonly #options: OutboxOutcomesOptions;
  readonly #subjects: OutboxSubjects;
  readonly #subscription: Subscription;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #poll: Timer | undefined;
  #isAsking = false;
  #shallAskAgain = false;
  #isStopped = false;

  constructor(options: OutboxOutcomesOptions) {
    this.#options = options;
    this.#subjects = outboxSubjects(options.exchange);
    this.#subscription = options.bus.subscribe(this.#subjects.settled, (message) => {
      const outcome = decodeOutcome(message);
      if (outcome !== undefined) this.#tell(outcome);
    });
  }

  /** Called after the commit, so that the dispatcher need not wait for its next poll. */
  wakeDispatcher(): void {
    this.#options.bus.publish(this.#subjects.waiting, NOTHING);
  }

  /**
   * To be called after the commit. Undefined when the time is over first: the outcome is then not
   * known yet, and the position will still have one.
   */
  waitForOutcome(
    position: OutboxPosition,
    { timeoutMs }: { readonly timeoutMs: number },
  ): Promise<OutboxOutcome | undefined> {
    const { clock, waitersMax = WAITERS_MAX } = this.#options;
    if (this.#isStopped || this.#waiting >= waitersMax) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const deadline = clock.after(timeoutMs, () => this.#leave(waiter, undefined));
      const waiter: Waiter = {
        position,
        done(outcome) {
          deadline.cancel();
          resolve(outcome);
        },
      };
      const name = nameOf(position);
      this.#waiters.set(name, (this.#waiters.get(name) ?? new Set()).add(waiter));
      this.#waiting++;
      // It may have been settled between the commit and now, and told before anybody listened.
      if (this.#isAsking) this.#shallAskAgain = true;
      else this.#askAfter(0);
    });
  }

  /** Those who wait are told nothing. */
  stop(): void {
    this.#isStopped = true;
    this.#subscription.stop();
    this.#poll?.cancel();
    for (const waiters of [...this.#waiters.values()]) {
      for (const waiter of [...waiters]) this.#leave(waiter, undefined);
    }
  }

  #tell(outcome: OutboxOutcome): void {
    for (const waiter of [...(this.#waiters.get(nameOf(outcome)) ?? [])]) {
      this.#leave(waiter, outcome);
    }
  }

  #leave(waiter: Waiter, outcome: OutboxOutcome | undefined): void {
    const name = nameOf(waiter.position);
    const waiters = this.#waiters.get(name);
    if (waiters?.delete(waiter) !== true) return;
    if (waiters.size === 0) this.#waiters.delete(name);
    this.#waiting--;
    waiter.done(outcome);
  }

  #askAfter(delayMs: number): void {
    this.#poll?.cancel();
    this.#poll = this.#options.clock.after(delayMs, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const { onFault, pollMs = POLL_MS, statements } = this.#options;
    const positions = [...this.#waiters.values()].map(([{ position }]) => position);
    this.#isAsking = true;
    this.#shallAskAgain = false;
    try {
      for (const outcome of await readOutcomes(statements, positions)) this.#tell(outcome);
    } catch (fault) {
      onFault(fault);
    }
    this.#isAsking = false;
    if (this.#waiting > 0 && !this.#isStopped) this.#askAfter(this.#shallAskAgain ? 0 : pollMs);
  }
}

function nameOf({ channel, sequence }: OutboxPosition): string {
  return `${channel}.${sequence}`;
}
