// Sends pending outbox rows in rounds and records their outcomes. Sends a position until its
// outcome is known; the engine applies it once. User settings and operator commands share the
// rounds. The process can be killed at any instruction.

import type { Refusal } from '../../core/messages/index.ts';
import type { UnsentSettings } from '../../features/accounts/index.ts';
import type { CommandClient, Outcome } from '../../infra/command-link/index.ts';
import type { CustodyFile } from '../../infra/custody-file/index.ts';
import { MONEY_CHANNELS } from '../../infra/identities/index.ts';
import {
  type ConnectionOptions,
  checkSchema,
  type DatabaseWatcher,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import {
  blockRegistry,
  confirmTerm,
  type EngineCommandRow,
  markSent,
  type OutboxOutcome,
  type OutboxPosition,
  type OutboxRow,
  openTerm,
  type RegistryTerm,
  readWaiting,
  type Settled,
  type SettleHooks,
  settleOutbox,
  toCommand,
  type VoidedRow,
  type WaitingRow,
} from '../../platform/outbox/index.ts';
import { checkRows } from './authorization/check-rows.ts';
import { EngineCommandSender } from './engine-command-sender.ts';
import type { LookedUp } from './outcome-lookup.ts';
import { type BlockedChannel, readRound, type Sent } from './round-answers.ts';
import { SettingsSender } from './settings-sender.ts';

export interface DispatcherOptions {
  readonly clock: Clock;
  /** Connection to the registry. */
  readonly connection: ConnectionOptions;
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
  /** True for a demo exchange, the only kind that gives play money. */
  readonly isDemo: boolean;
  /** Limits for credits from chains; undefined if custody is off. */
  readonly custody: CustodyFile | undefined;
  readonly client: Pick<CommandClient, 'send' | 'nextId' | 'close'>;
  /** Exchange ID of the log. */
  readonly exchangeId: string;
  /** Last frame announced by a leader; undefined before the first. */
  leaderFrame(): number | undefined;
  /** Reads the outcomes of positions that a frame up to `toFrame` reported as seen from the log. */
  lookUp(rows: readonly OutboxRow[], toFrame: number): Promise<LookedUp[]>;
  /** Called in the transaction that records the outcomes. */
  readonly onSettled: SettleHooks;
  /** Called after the commit and before the outcomes are published. */
  readonly afterSettled: SettleHooks;
  /** Called after the commit. */
  publish(outcome: OutboxOutcome): void;
  /** While true, outbox rows and user settings are queued; operator commands are not. */
  isIntakeStopped(): boolean;
  readonly settings: DispatcherSettings;
  readonly watcher: DispatcherWatcher;
  /** The dispatcher cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface DispatcherSettings {
  /** Maximum number of a channel's rows sent together, in order. */
  readonly perChannelMax: number;
  /** How long to wait for a response before the same position is sent again. */
  readonly answerMs: number;
  /** Interval between table polls without a wake-up. */
  readonly pollMs: number;
  /** Pause after a round without progress, and the longest one while PostgreSQL is down. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** How long a blocked channel is skipped. */
  readonly blockedMs: number;
}

export const DISPATCHER_DEFAULTS: DispatcherSettings = {
  perChannelMax: 256,
  answerMs: 10_000,
  pollMs: 1_000,
  retryMs: 100,
  retryMsMax: 5_000,
  blockedMs: 5_000,
};

export interface DispatcherWatcher extends DatabaseWatcher {
  /** Another dispatcher is active. */
  standingBy(): void;
  /** It holds the lock, and the engine has confirmed the registry. */
  becameActive(): void;
  /** Registry and log do not belong together, so `restore reconcile` is needed. */
  registryBlocked(reason: string): void;
  settled(settled: readonly Settled[], tookMs: number): void;
  /** Positions whose outcome was read from the log. */
  lookedUp(count: number): void;
  /** A channel is blocked and needs an operator. */
  blocked(blocked: BlockedChannel): void;
  /**
   * A role wrote a row that it is not allowed to write; the engine gets a command that it refuses.
   */
  voided(voided: VoidedRow, row: WaitingRow): void;
  /** The same for a repeatable command, which is not sent to the engine. */
  commandVoided(row: EngineCommandRow, reason: string): void;
  /** The policy requires more reviews for a withdrawal than its request does. */
  reviewsRaised(withdrawal: number, reviews: number): void;
  /** A credit from a chain is above a limit of the custody file; an operator reviews it. */
  creditReviewed(deposit: number, reason: string): void;
  /** The engine has the settings of this many users. */
  settingsSent(count: number): void;
  settingsRefused(settings: UnsentSettings, refusal: Refusal): void;
  commandSettled(kind: string, refusal: Refusal): void;
}

/** Positions on which two stores disagree. Nothing behind them may ever be sent. */
const DISAGREEMENTS: ReadonlySet<BlockedChannel['reason']> = new Set([
  'channel_sequence_has_gap',
  'position_is_foreign',
  'position_is_missing',
] as const);

/** waiting: for PostgreSQL or the lock. sending: rounds. stopped. */
export class OutboxDispatcher {
  readonly #options: DispatcherOptions;
  readonly #blockedUntilMs = new Map<number, number>();
  /** Channels with an accepted position since the connection was opened. */
  readonly #knownChannels = new Set<number>();
  #term: RegistryTerm | undefined;
  #unsettledStatements: readonly OutboxPosition[] = [];
  readonly #loop: SingletonLoop;
  readonly #settings: SettingsSender;
  readonly #commands: EngineCommandSender;
  #logNeededAfter: number | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { client, clock, connection, settings, watcher } = options;
    const { answerMs, blockedMs, retryMs, retryMsMax } = settings;
    this.#settings = new SettingsSender({
      client,
      clock,
      answerMs,
      refusedMs: blockedMs,
      onSent: (count) => watcher.settingsSent(count),
      onRefused: (row, refusal) => watcher.settingsRefused(row, refusal),
    });
    this.#commands = new EngineCommandSender({
      client,
      projectionSchema: options.projectionSchema,
      answerMs,
      onSettled(kind, outcome) {
        watcher.commandSettled(kind, outcome.refusal);
        options.publish(outcome);
      },
      onVoided: (row, reason) => watcher.commandVoided(row, reason),
    });
    this.#loop = new SingletonLoop({
      clock,
      connection,
      lockClass: LOCKS.dispatcher,
      standbyMs: retryMs,
      retryMs,
      retryMsMax,
      onConnected: async (own) => {
        await checkSchema(own, connection.schema, readRegistryMigrations());
        this.#knownChannels.clear();
        await this.#openTerm(own);
      },
      onStandby: () => watcher.standingBy(),
      round: (own) => this.#round(own),
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
      onFault: (reason, cause) => {
        client.close();
        options.onFault(reason, cause);
      },
    });
    this.#loop.start();
  }

  get isDatabaseUp(): boolean {
    return this.#loop.isDatabaseUp;
  }

  /** True if it holds the lock. */
  get isActive(): boolean {
    return this.#loop.isActive;
  }

  /** Why the registry is blocked; undefined if it is not. */
  get registryBlocked(): string | undefined {
    return this.#term?.kind === 'blocked' ? this.#term.reason : undefined;
  }

  /** Last frame whose outcomes it will not look up; undefined if it is not active. */
  get logNeededAfter(): number | undefined {
    return this.isActive ? this.#logNeededAfter : undefined;
  }

  /** Channels that cannot continue without an operator. */
  get blockedChannels(): readonly number[] {
    const nowMs = this.#options.clock.elapsedMs();
    return [...this.#blockedUntilMs].filter(([, untilMs]) => untilMs > nowMs).map(([one]) => one);
  }

  /** Called when rows are pending. */
  wake(): void {
    this.#loop.wake();
  }

  /** Settles the known outcomes. Resolves when the connection is closed. */
  stop(): Promise<void> {
    const stopped = this.#loop.stop();
    // Outstanding commands then resolve with the outcome known so far.
    this.#options.client.close();
    return stopped;
  }

  /**
   * Sends every pending row once and records the known outcomes. Returns the pause to make after
   * the round.
   */
  async #round(connection: OwnConnection): Promise<number> {
    const { clock, leaderFrame, settings, watcher } = this.#options;
    const afterFrame = leaderFrame();
    const startedMs = clock.elapsedMs();
    if (this.#term?.kind === 'blocked' && !(await this.#openTerm(connection))) {
      return settings.pollMs;
    }
    const isStopped = this.#options.isIntakeStopped();
    const rows = isStopped ? [] : await this.#waitingRows(connection, afterFrame);
    const unsent = isStopped ? [] : await this.#settings.read(connection);
    const hasCommands = await this.#commands.hasWaiting(connection);
    if ((rows.length + unsent.length === 0 && !hasCommands) || afterFrame === undefined) {
      return settings.pollMs;
    }
    const [sent, answered, commanded] = await Promise.all([
      Promise.all(rows.map((row) => this.#send(row))),
      this.#settings.send(unsent),
      this.#commands.send(connection),
    ]);
    const accepted = await this.#settings.record(connection, answered);
    const { blocked, seen, seenAtFrame, settled } = readRound(sent);
    if (seen.length > 0) {
      watcher.lookedUp(seen.length);
      for (const { found, row } of await this.#options.lookUp(seen, seenAtFrame)) {
        const { channel, sequence } = row;
        if (found.kind === 'outcome') {
          const { command, refusal } = found;
          const state = refusal === 'none' ? 'accepted' : 'refused';
          const frame = seenAtFrame;
          settled.push({ row, outcome: { channel, sequence, state, refusal, command, frame } });
        } else blocked.push({ channel, sequence, reason: `position_is_${found.kind}` });
      }
    }
    for (const one of blocked) await this.#block(connection, one);
    if (settled.length > 0) {
      await this.#settle(connection, settled);
      await this.#learn(connection, settled);
      watcher.settled(settled, clock.elapsedMs() - startedMs);
    }
    // A wake-up must not end this pause: without progress the same rows would be sent again
    // immediately.
    else if (accepted + commanded === 0) await this.#loop.pause(settings.retryMs);
    return 0;
  }

  /** Returns false if the registry is blocked. */
  async #openTerm(connection: OwnConnection): Promise<boolean> {
    const { exchangeId, watcher } = this.#options;
    const before = this.#term;
    const term = await openTerm(connection, exchangeId);
    this.#term = term;
    this.#unsettledStatements = term.kind === 'stated' ? term.positions : [];
    if (term.kind === 'confirmed') watcher.becameActive();
    if (term.kind === 'blocked' && before?.kind !== 'blocked') watcher.registryBlocked(term.reason);
    return term.kind !== 'blocked';
  }

  /** The engine has accepted these positions, so later ones in their channels are sent together. */
  async #learn(connection: OwnConnection, settled: readonly Settled[]): Promise<void> {
    for (const { row } of settled) this.#knownChannels.add(row.channel);
    if (this.#unsettledStatements.length === 0) return;
    this.#unsettledStatements = this.#unsettledStatements.filter(
      (one) => !settled.some(({ row }) => isSamePosition(row, one)),
    );
    if (this.#unsettledStatements.length > 0 || this.#term?.kind !== 'stated') return;
    await confirmTerm(connection);
    this.#term = { kind: 'confirmed' };
    this.#options.watcher.becameActive();
  }

  async #settle(connection: OwnConnection, settled: readonly Settled[]): Promise<void> {
    const { afterSettled, onSettled, publish } = this.#options;
    await settleOutbox(connection, settled, onSettled);
    for (const hook of Object.values(afterSettled)) await hook(connection, settled);
    for (const { outcome } of settled) {
      const { command: _, ...published } = outcome;
      publish(published);
    }
  }

  /** First commits that the rows are being sent, because after that they might be in the log. */
  async #waitingRows(
    connection: OwnConnection,
    afterFrame: number | undefined,
  ): Promise<OutboxRow[]> {
    const blocked = new Set(this.blockedChannels);
    const all = await readWaiting(connection, this.#options.settings.perChannelMax);
    const marks = all.flatMap(({ sentAfterFrame }) => sentAfterFrame ?? []);
    this.#logNeededAfter = marks.length > 0 ? Math.min(...marks) : afterFrame;
    const open = this.#firstOfUnknown(all.filter(({ channel }) => !blocked.has(channel)));
    // The sequencer would refuse its entire batch, and with it the rows of other channels.
    for (const { channel, sequence } of open) {
      if (!isForbidden(channel)) continue;
      await this.#block(connection, { channel, sequence, reason: 'channel_must_exist' });
    }
    const rows = open.filter(({ channel }) => !isForbidden(channel));
    const fresh = rows.filter(({ sentAfterFrame }) => sentAfterFrame === undefined);
    if (afterFrame === undefined || fresh.length === 0) return rows;
    const checked = await this.#check(connection, fresh);
    await markSent(connection, fresh, afterFrame);
    return rows.map((row) => ({
      ...(checked.get(row) ?? row),
      sentAfterFrame: row.sentAfterFrame ?? afterFrame,
    }));
  }

  /** For a channel whose positions the engine has not confirmed yet, returns only the first row. */
  #firstOfUnknown(rows: readonly WaitingRow[]): readonly WaitingRow[] {
    return rows.filter(
      ({ channel }, at) => this.#knownChannels.has(channel) || channel !== rows[at - 1]?.channel,
    );
  }

  /** Returns the rows as they can be sent, by the rows as they are in the table. */
  async #check(
    connection: OwnConnection,
    rows: readonly WaitingRow[],
  ): Promise<ReadonlyMap<OutboxRow, OutboxRow>> {
    const { custody, isDemo, projectionSchema, watcher } = this.#options;
    const asked = rows.filter(
      ({ isUnreadable, isVoided, writer }) => !isVoided && (writer !== 'owner' || isUnreadable),
    );
    if (asked.length === 0) return new Map();
    const checked = await checkRows(connection, asked, {
      projectionSchema,
      isDemo,
      custody,
      onVoided: (voided, row) => watcher.voided(voided, row),
      onReviewsRaised: (id, reviews) => watcher.reviewsRaised(id, reviews),
      onCreditReviewed: (id, reason) => watcher.creditReviewed(id, reason),
    });
    return new Map(asked.map((row, at) => [row, checked[at]]));
  }

  #send(row: OutboxRow): Promise<Sent> {
    const { client, settings } = this.#options;
    // A new ID each time, because the position alone identifies the command.
    const command = toCommand(row, client.nextId());
    return new Promise((done) => {
      client.send(command, settings.answerMs, (outcome: Outcome) => done({ row, outcome }));
    });
  }

  async #block(connection: OwnConnection, blocked: BlockedChannel): Promise<void> {
    const { clock, settings, watcher } = this.#options;
    const { channel, reason, sequence } = blocked;
    this.#blockedUntilMs.set(channel, clock.elapsedMs() + settings.blockedMs);
    watcher.blocked(blocked);
    if (!DISAGREEMENTS.has(reason) || this.#term?.kind === 'blocked') return;
    const text = `${reason}: channel ${channel}, position ${sequence}`;
    await blockRegistry(connection, text);
    this.#term = { kind: 'blocked', reason: text };
    watcher.registryBlocked(text);
  }
}

function isSamePosition(one: OutboxPosition, other: OutboxPosition): boolean {
  return one.channel === other.channel && one.sequence === other.sequence;
}

function isForbidden(channel: number): boolean {
  return !MONEY_CHANNELS.includes(channel);
}
