// The dispatcher: sends what waits in the outbox, in rounds, and writes down what came of it. A
// position is sent until its outcome is known; the engine takes it once. It may be killed at any
// instruction.

import { readRegistryMigrations } from '../../domain/migrations/index.ts';
import {
  markSent,
  type OutboxOutcome,
  type OutboxRow,
  outcomeOf,
  readWaiting,
  type Settled,
  settleOutbox,
  toCommand,
} from '../../domain/transfers/index.ts';
import type { CommandClient, Outcome } from '../../infra/command-link/index.ts';
import {
  type ConnectionOptions,
  checkSchema,
  closeConnection,
  holdSingleton,
  isPassingFault,
  type OwnConnection,
} from '../../infra/postgres/index.ts';
import { type Clock, RetryLoop } from '../../infra/process/index.ts';
import type { LookedUp } from './outcome-lookup.ts';
import { type HeldUp, readRound, type Sent } from './round-answers.ts';

export interface DispatcherOptions {
  readonly clock: Clock;
  /** To the registry. */
  readonly connection: ConnectionOptions;
  readonly client: Pick<CommandClient, 'send' | 'nextId' | 'close'>;
  /** The last frame that a leader has told of; undefined before the first. */
  leaderFrame(): number | undefined;
  /** What came of positions that a frame up to this one has called seen. */
  lookUp(rows: readonly OutboxRow[], toFrame: number): Promise<LookedUp[]>;
  /** After the commit. */
  tell(outcome: OutboxOutcome): void;
  readonly settings: DispatcherSettings;
  readonly watcher: DispatcherWatcher;
  /** It can not go on, and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface DispatcherSettings {
  /** Sent together, in order; the engine refuses what would overtake. */
  readonly perChannelMax: number;
  /** How long an answer is waited for until the same position is sent anew. */
  readonly answerMs: number;
  /** How often the table is looked at when nobody calls. */
  readonly pollMs: number;
  /** How long to wait after a round in vain, and at the most when PostgreSQL is away. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** How long a channel that can not go on is left alone. */
  readonly heldUpMs: number;
}

export const DISPATCHER_DEFAULTS: DispatcherSettings = {
  perChannelMax: 256,
  answerMs: 10_000,
  pollMs: 1_000,
  retryMs: 100,
  retryMsMax: 5_000,
  heldUpMs: 5_000,
};

export interface DispatcherWatcher {
  /** Another dispatcher sends. */
  standsBy(): void;
  sends(): void;
  settled(settled: readonly Settled[], tookMs: number): void;
  /** Positions whose outcome was read from the log. */
  lookedUp(count: number): void;
  /** A channel can not go on by itself: somebody must look. */
  heldUp(heldUp: HeldUp): void;
  databaseAway(fault: unknown): void;
  databaseBack(): void;
}

/** Tells the lock of a dispatcher from other advisory locks. */
const LOCK_CLASS = 7_421_975;

/** waiting: for PostgreSQL or the lock. sending: rounds. stopped. */
export class OutboxDispatcher {
  readonly #options: DispatcherOptions;
  readonly #heldUpUntilMs = new Map<number, number>();
  readonly #ended: Promise<void>;
  readonly #retries: RetryLoop;
  #connection: OwnConnection | undefined;
  #wasCalled = false;
  /** Ends the pause between two rounds, and no other. */
  #wake: () => void = () => {};

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { clock, settings, watcher } = options;
    const { retryMs, retryMsMax } = settings;
    this.#retries = new RetryLoop({
      clock,
      retryMs,
      retryMsMax,
      isRetryable: isPassingFault,
      onFailure: () => this.#close(),
      onDown: (fault) => watcher.databaseAway(fault),
      onUp: () => watcher.databaseBack(),
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  get isDatabaseThere(): boolean {
    return !this.#retries.isDown;
  }

  /** It holds the lock. */
  get isSending(): boolean {
    return this.#connection !== undefined;
  }

  /** Channels that can not go on by themselves. */
  get channelsHeldUp(): readonly number[] {
    const nowMs = this.#options.clock.elapsedMs();
    return [...this.#heldUpUntilMs].filter(([, untilMs]) => untilMs > nowMs).map(([one]) => one);
  }

  /** Something waits. */
  call(): void {
    this.#wasCalled = true;
    this.#wake();
  }

  /** Settles what is known by now. Resolves when the session is closed. */
  async stop(): Promise<void> {
    this.#halt();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#retries.isStopped) {
      await this.#retries.run(async () => {
        this.#connection ??= await this.#connect();
        if (this.#connection === undefined) return;
        this.#retries.succeeded();
        await this.#round(this.#connection);
      });
    }
    this.#close();
  }

  /** Undefined if it was stopped while it waited for the lock. */
  async #connect(): Promise<OwnConnection | undefined> {
    const { connection: options, settings, watcher } = this.#options;
    const connection = await holdSingleton({
      connection: options,
      lockClass: LOCK_CLASS,
      onStandby: () => watcher.standsBy(),
      wait: () => this.#retries.pause(settings.retryMs),
    });
    if (connection === undefined) return undefined;
    try {
      await checkSchema(connection, options.schema, readRegistryMigrations());
    } catch (fault) {
      closeConnection(connection);
      throw fault;
    }
    watcher.sends();
    return connection;
  }

  /** Everything that waits is sent once, and what is known of it afterwards is written down. */
  async #round(connection: OwnConnection): Promise<void> {
    const { clock, leaderFrame, settings, watcher } = this.#options;
    this.#wasCalled = false;
    const afterFrame = leaderFrame();
    const startedMs = clock.elapsedMs();
    const rows = await this.#waitingRows(connection, afterFrame);
    if (rows.length === 0 || afterFrame === undefined) {
      await this.#sleep(settings.pollMs);
      return;
    }
    const sent = await Promise.all(rows.map((row) => this.#send(row)));
    const { heldUp, seen, seenAtFrame, settled } = readRound(sent);
    if (seen.length > 0) {
      watcher.lookedUp(seen.length);
      for (const { found, row } of await this.#options.lookUp(seen, seenAtFrame)) {
        const { channel, sequence } = row;
        if (found.kind === 'outcome') {
          const { command, refusal } = found;
          const state = refusal === 'none' ? 'accepted' : 'refused';
          const frame = seenAtFrame;
          settled.push({ row, outcome: { channel, sequence, state, refusal, command, frame } });
        } else heldUp.push({ channel, sequence, reason: `position_is_${found.kind}` });
      }
    }
    for (const one of heldUp) this.#holdUp(one);
    await settleOutbox(connection, settled);
    for (const one of settled) this.#options.tell(outcomeOf(one));
    if (settled.length > 0) watcher.settled(settled, clock.elapsedMs() - startedMs);
    else await this.#retries.pause(settings.retryMs);
  }

  /** With their marks committed: from here on they may be in the log. */
  async #waitingRows(
    connection: OwnConnection,
    afterFrame: number | undefined,
  ): Promise<OutboxRow[]> {
    const heldUp = new Set(this.channelsHeldUp);
    const all = await readWaiting(connection, this.#options.settings.perChannelMax);
    const rows = all.filter(({ channel }) => !heldUp.has(channel));
    const fresh = rows.filter(({ sentAfterFrame }) => sentAfterFrame === undefined);
    if (afterFrame === undefined || fresh.length === 0) return rows;
    await markSent(connection, fresh, afterFrame);
    return rows.map((row) => ({ ...row, sentAfterFrame: row.sentAfterFrame ?? afterFrame }));
  }

  #send(row: OutboxRow): Promise<Sent> {
    const { client, settings } = this.#options;
    // A new id each time: the position alone says which command it is.
    const command = toCommand(row, client.nextId());
    return new Promise((done) => {
      client.send(command, settings.answerMs, (outcome: Outcome) => done({ row, outcome }));
    });
  }

  #holdUp(heldUp: HeldUp): void {
    const { clock, settings, watcher } = this.#options;
    this.#heldUpUntilMs.set(heldUp.channel, clock.elapsedMs() + settings.heldUpMs);
    watcher.heldUp(heldUp);
  }

  /** Until the time is over or somebody calls. */
  async #sleep(ms: number): Promise<void> {
    if (this.#wasCalled) return;
    this.#wake = () => this.#retries.endPause();
    await this.#retries.pause(ms);
    this.#wake = () => {};
  }

  #close(): void {
    if (this.#connection !== undefined) closeConnection(this.#connection);
    this.#connection = undefined;
  }

  #halt(): void {
    this.#retries.stop();
    // What is under way is then told as it stands.
    this.#options.client.close();
  }

  #fail(fault: unknown): void {
    this.#close();
    const hasBeenAsked = this.#retries.isStopped;
    this.#halt();
    if (hasBeenAsked) return;
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}
