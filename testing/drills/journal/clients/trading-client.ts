// One gateway session of the drill: sends commands while there is room, records the outcome of
// each, and retries with the same IDs after an unknown outcome.

import { crc32 } from 'node:zlib';
import type { Bus } from '../../../../infra/bus/index.ts';
import {
  type CommandClient,
  type Outcome,
  openCommandClient,
  type ResultsHeader,
} from '../../../../infra/command-link/index.ts';
import { claimedIdentity, SANDBOX_IDENTITY } from '../../../../infra/identities/index.ts';
import { systemClock } from '../../../../infra/process/index.ts';
import { Random } from '../../../flows/index.ts';
import type { CommandWithoutId } from '../../../reference-models/index.ts';
import { withId } from '../../../simulator/trading-commands.ts';
import { OutcomeRecords } from './outcome-records.ts';
import { DepositChannel, Trader } from './traffic.ts';

export interface TradingClientOptions {
  readonly bus: Bus;
  readonly exchange: string;
  readonly source: number;
  readonly seed: number;
  readonly pendingMax: number;
  /** The current round of the drill. */
  round(): number;
  onFrame(frame: ResultsHeader): void;
}

const USERS = 16;
const DEPOSITS_PERCENT = 3;
/** Longer than a sequencer failover can take, and shorter than some log outages. */
const TIMEOUT_MS = 12_000;
const SHORT_TIMEOUT_MS = 4_000;
const SHORT_PERCENT = 3;

export class TradingClient {
  readonly records = new OutcomeRecords();
  readonly counts = { answered: 0, not_taken: 0, unknown: 0 };
  readonly #options: TradingClientOptions;
  readonly #client: CommandClient;
  readonly #random: Random;
  readonly #traders: readonly Trader[];
  readonly #deposits: DepositChannel;
  /** Orders with a client order ID and an unknown outcome, to retry with the same ID. */
  readonly #retries: CommandWithoutId[] = [];

  constructor(options: TradingClientOptions) {
    this.#options = options;
    const { bus, exchange, pendingMax, seed, source } = options;
    const clock = systemClock;
    const identity = claimedIdentity(SANDBOX_IDENTITY);
    this.#client = openCommandClient({ bus, clock, exchange, identity, source, pendingMax });
    const random = new Random(seed * 1_000 + source);
    this.#random = random;
    const users = Array.from({ length: USERS }, (_, index) => (source - 1) * USERS + index + 1);
    this.#traders = users.map((user) => new Trader(user, random));
    this.#deposits = new DepositChannel(source, users);
  }

  get pending(): number {
    return this.#client.pending;
  }

  /** Sends up to `count` commands, as far as there is room, and returns how many. */
  sendSome(count: number): number {
    const { pendingMax } = this.#options;
    let sent = 0;
    while (sent < count && this.#client.pending < pendingMax && this.#sendOne()) sent++;
    return sent;
  }

  /** Retries until the command is answered. */
  async ask(body: CommandWithoutId): Promise<void> {
    let outcome: Outcome | undefined;
    while (outcome?.kind !== 'answered') {
      outcome = await new Promise((done) => this.#send(body, TIMEOUT_MS, done));
    }
  }

  #sendOne(): boolean {
    const deposits = this.#deposits;
    const isDepositDue = !deposits.hasFunded || this.#random.chance(DEPOSITS_PERCENT);
    if (isDepositDue && !deposits.isInFlight) {
      this.#send(deposits.next(), this.#timeoutMs(), ({ kind }) =>
        deposits.settle(kind === 'answered'),
      );
      return true;
    }
    if (!deposits.hasFunded) return false;
    const trader = this.#random.pick(this.#traders);
    const body = this.#retries.pop() ?? trader.next();
    this.#send(body, this.#timeoutMs(), (outcome) => this.#learn(trader, body, outcome));
    return true;
  }

  #learn(trader: Trader, body: CommandWithoutId, outcome: Outcome): void {
    if (body.kind !== 'PlaceOrder') return;
    if (outcome.kind === 'unknown' && body.clientOrderId !== '') this.#retries.push(body);
    if (outcome.kind !== 'answered') return;
    const { command, refusal } = outcome.result;
    if (refusal === 'none' && body.user === trader.user) trader.learnOrder(command);
  }

  #timeoutMs(): number {
    return this.#random.chance(SHORT_PERCENT) ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
  }

  #send(body: CommandWithoutId, timeoutMs: number, done: (outcome: Outcome) => void): void {
    const id = this.#client.nextId();
    this.records.open(id.number, this.#options.round());
    const command = withId(body, id);
    this.#client.send(command, timeoutMs, (outcome) => {
      this.#record(id.number, outcome);
      done(outcome);
    });
  }

  #record(number: number, outcome: Outcome): void {
    this.counts[outcome.kind]++;
    if (outcome.kind !== 'answered') {
      const { kind } = outcome;
      const nothing = { command: 0, sequence: 0, refusal: 'none', isRepeat: false } as const;
      this.records.set(number, { kind, ...nothing, eventsCrc: undefined });
      return;
    }
    const { frame, kind, result } = outcome;
    const { command, eventsAt, eventsEnd, hasAllEvents, isRepeat, message, refusal } = result;
    const eventsCrc = hasAllEvents ? crc32(message.subarray(eventsAt, eventsEnd)) : undefined;
    const { sequence } = frame;
    this.records.set(number, { kind, command, sequence, refusal, isRepeat, eventsCrc });
    this.#options.onFrame(frame);
  }
}
