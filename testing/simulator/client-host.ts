// Machine that runs a command client and records the outcome of every command for the checks in
// judge.ts. A crashed client restarts as a new session without memory.

import type { Command } from '../../core/messages/index.ts';
import { CommandClient, type Outcome } from '../../infra/command-link/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import type { Random } from '../flows/index.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';
import { EXCHANGE, type Machine } from './machine.ts';
import { nameOf } from './straight-replay.ts';
import { type Trader, withId } from './trading-commands.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One command and the outcome that its sender received. */
export interface SentCommand {
  readonly name: string;
  readonly kind: Command['kind'];
  /** Session that sent it. */
  readonly session: number;
  outcome: Outcome | undefined;
}

export interface ClientHostOptions {
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly traders: readonly Trader[];
  /** Total number of commands to send. */
  readonly commands: number;
  readonly meanPauseMs: number;
  /** Returns an ID that is unique across all sessions of all clients. */
  readonly nextSource: () => number;
  readonly restartMs: () => number;
  readonly trace: (line: () => string) => void;
}

const LINK = { pendingMax: 400, retryMs: 150, retryMsMax: 600, tickMs: 25 };
const FLOOD_COMMANDS = 300;
const TIMEOUTS_MS = [200, 800, 2_000, 4_000];

export class ClientHost {
  readonly machine: Machine;
  readonly sent: SentCommand[] = [];
  readonly #options: ClientHostOptions;
  #client: CommandClient | undefined;
  #clock: Clock | undefined;
  #restart: Timer | undefined;
  #session = 0;
  #remaining: number;

  constructor(options: ClientHostOptions) {
    this.#options = options;
    this.machine = options.machine;
    this.#remaining = options.commands;
  }

  get name(): string {
    return this.machine.name;
  }

  get session(): number {
    return this.#session;
  }

  /** Commands of this session without an outcome. */
  get open(): number {
    return this.sent.filter((sent) => this.isWaitingFor(sent)).length;
  }

  isWaitingFor({ outcome, session }: SentCommand): boolean {
    return outcome === undefined && session === this.#session;
  }

  start(): void {
    this.#restart?.cancel();
    const { bus, clock } = this.machine.boot();
    this.#session = this.#options.nextSource();
    this.#clock = clock;
    this.#client = new CommandClient({
      ...LINK,
      bus,
      clock,
      exchange: EXCHANGE,
      sender: 'sandbox',
      source: this.#session,
    });
    this.#options.trace(() => `${this.name} is session ${this.#session}`);
    this.#sendLater();
  }

  crash(): void {
    const { restartMs, time, trace } = this.#options;
    if (!this.machine.isUp) return;
    trace(() => `${this.name} crashes`);
    this.machine.kill();
    this.#client = undefined;
    this.#restart?.cancel();
    this.#restart = time.after(restartMs(), () => this.start());
  }

  send(
    body: CommandWithoutId,
    timeoutMs: number,
    done: (outcome: Outcome) => void = () => {},
  ): void {
    const client = this.#client;
    if (client === undefined) return;
    const id = client.nextId();
    const command = withId(body, id);
    const sent: SentCommand = {
      name: nameOf(id),
      kind: command.kind,
      session: this.#session,
      outcome: undefined,
    };
    this.sent.push(sent);
    client.send(command, timeoutMs, (outcome) => {
      sent.outcome = outcome;
      this.#options.trace(
        () => `${this.name} receives the outcome of ${sent.name}: ${describe(outcome)}`,
      );
      done(outcome);
    });
  }

  /** Sends many commands without effect, which evict older IDs from the engine's memory. */
  flood(): void {
    if (this.machine.isPaused) return;
    this.#options.trace(() => `${this.name} sends a flood`);
    for (let count = 0; count < FLOOD_COMMANDS; count++) {
      this.send({ kind: 'CancelOrder', user: 1, order: 1, byOperator: false }, 2_000);
    }
  }

  /** Sends this many of its commands at the same time, with a long timeout. */
  trade(count: number): void {
    if (this.machine.isPaused) return;
    for (let at = 0; at < count; at++) this.#sendOne(4_000);
  }

  #sendLater(): void {
    const { meanPauseMs, random } = this.#options;
    if (this.#remaining <= 0) return;
    this.#clock?.after(random.below(2 * meanPauseMs), () => {
      const burst = random.chance(20) ? random.between(2, 12) : 1;
      for (let count = 0; count < burst && this.#remaining > 0; count++) this.#sendOne();
      this.#sendLater();
    });
  }

  #sendOne(timeoutMs = this.#options.random.pick(TIMEOUTS_MS)): void {
    const { random, traders } = this.#options;
    const trader = random.pick(traders);
    const body = trader.next();
    this.#remaining--;
    this.send(body, timeoutMs, (outcome) => {
      if (outcome.kind === 'answered') {
        if (body.kind === 'PlaceOrder' && outcome.result.refusal === 'none') {
          trader.learnOrder(outcome.result.command);
        }
      } else if (outcome.kind === 'not_taken' && body.kind === 'CreditDeposit') {
        trader.depositNotTaken(body.channelSequence);
      }
    });
  }
}

function describe(outcome: Outcome): string {
  if (outcome.kind === 'unknown') return 'unknown';
  if (outcome.kind === 'not_taken') return `not taken, ${outcome.reason}`;
  const { command, isRepeat, refusal } = outcome.result;
  return `${refusal} as command ${command}${isRepeat ? ', again' : ''}`;
}
