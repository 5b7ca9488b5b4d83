// Gateway that sends a command every few milliseconds over the direct link, records every outcome
// and measures the longest time without an acknowledgment.

import type { Command, CommandId } from '../../../core/messages/index.ts';
import { type Nats, NatsBus } from '../../../infra/bus/index.ts';
import {
  type CommandClient,
  type Outcome,
  openCommandClient,
} from '../../../infra/command-link/index.ts';
import { claimedIdentity } from '../../../infra/identities/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { CommandWithoutId } from '../../reference-models/index.ts';

const EVERY_MS = 10;
const TIMEOUT_MS = 60_000;
const RESUMES_WITHIN_MS = 120_000;
const RESUMED_AFTER = 20;

export interface Sent {
  readonly id: CommandId;
  outcome: Outcome | undefined;
}

export class Prober {
  readonly sent: Sent[] = [];
  readonly #client: CommandClient;
  readonly #acknowledgedMs: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(nats: Nats, exchange: string) {
    this.#client = openCommandClient({
      bus: new NatsBus(nats),
      clock: systemClock,
      exchange,
      identity: claimedIdentity('sandbox'),
    });
  }

  get epoch(): number {
    return this.#client.epoch;
  }

  get acknowledgements(): number {
    return this.#acknowledgedMs.length;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.send({ kind: 'CancelAllOrders', user: 1, market: 0, byOperator: false });
    }, EVERY_MS);
  }

  send(body: CommandWithoutId): Promise<Outcome> {
    const id = this.#client.nextId();
    const sent: Sent = { id, outcome: undefined };
    this.sent.push(sent);
    return new Promise((resolve) => {
      this.#client.send({ ...body, ...id } as Command, TIMEOUT_MS, (outcome) => {
        sent.outcome = outcome;
        if (outcome.kind === 'answered') this.#acknowledgedMs.push(performance.now());
        resolve(outcome);
      });
    });
  }

  /** Sends all of them, with at most `atOnce` unanswered; resends commands rejected as busy. */
  async sendAll(bodies: Iterable<CommandWithoutId>, atOnce: number): Promise<void> {
    const left = bodies[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (let next = left.next(); !next.done; next = left.next()) {
        while (!isDone(await this.send(next.value)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** Returns the longest time without an acknowledgment since then, including a gap still open. */
  longestGapMs(sinceMs: number): number {
    let [longest, last] = [0, sinceMs];
    for (const atMs of this.#acknowledgedMs) {
      if (atMs <= sinceMs) continue;
      longest = Math.max(longest, atMs - last);
      last = atMs;
    }
    return Math.round(Math.max(longest, performance.now() - last));
  }

  /** Resolves when a number of commands are acknowledged again. */
  async waitUntilResumed(): Promise<void> {
    const wanted = this.acknowledgements + RESUMED_AFTER;
    await waitUntil({
      what: 'commands are acknowledged again',
      timeoutMs: RESUMES_WITHIN_MS,
      question: () => this.acknowledgements > wanted,
    });
  }

  /** Stops sending; resolves when every command has its outcome. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#client.pending > 0) await new Promise((done) => setTimeout(done, 50));
    this.#client.close();
  }
}

function isDone(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { refusal } = outcome.result;
  if (refusal !== 'none') throw new Error(`A command of the drill was refused: ${refusal}`);
  return true;
}
