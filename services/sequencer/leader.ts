// A leader during its epoch: collects commands into frames, applies them, stores them in the log,
// and only then replies. The epoch ends with a handover, or when the log contains another writer's
// frame. It must never send a gateway a result that the log has not acknowledged.

import {
  appendCommandRecords,
  type Command,
  type CommandFrame,
  type CommandId,
  closeFrame,
  type EventFrame,
  FrameWriter,
  openCommandFrame,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import type { Subscription } from '../../infra/bus/index.ts';
import {
  type BatchRefusal,
  decodeBatch,
  encodeBatchRefused,
  type LeaderHeartbeat,
  type LeaderState,
  type Poison,
} from '../../infra/command-link/index.ts';
import { EventWriter, hashFrame, LogWriter, sealFrame } from '../../infra/journal/index.ts';
import type { Timer } from '../../infra/process/index.ts';
import { type Applied, PoisonFault, type Replica, wakesAtMs } from '../../infra/replica/index.ts';
import { countWhileDue, cutFrame, splitBatches } from './cut-frame.ts';
import { FrameClock } from './frame-clock.ts';
import { type AddressedResults, frameResults } from './frame-results.ts';
import { Intake, type QueuedBatch, type SentBatch } from './intake.ts';
import type { LeaderEnd, LeaderOptions } from './leader-options.ts';
import { PauseMeter } from './pause-meter.ts';
import { SeenBatches } from './seen-batches.ts';
import { StateHashes } from './state-hashes.ts';
import { VitalSigns } from './vital-signs.ts';

/**
 * claiming:   its first frame is in flight; it publishes nothing yet.
 * leading:    accepts batches.
 * rebuilding: the engine failed on a command and left the replica inconsistent. Stored frames stay
 *             valid. A standby that has applied them all takes over and flags that command as
 *             poison; without one, this leader builds the frame again on a new replica.
 * leaving:    refuses batches, and ends when everything that it accepted is stored.
 * ended.
 */
type State = 'claiming' | 'leading' | 'rebuilding' | 'leaving' | 'ended';

interface MadeFrame {
  readonly applied: Applied;
  readonly batches: readonly QueuedBatch[];
  readonly commandsApplied: number;
  results: AddressedResults[] | undefined;
}

/** How often a leader with poison checks whether a standby has applied all frames. */
const SUCCESSOR_QUESTIONS_MAX = 10;
/** One in flight to the log, and one built in the meantime. */
const FRAMES_PENDING_MAX = 2;

export class Leader {
  readonly #options: LeaderOptions;
  readonly #epoch: number;
  readonly #seen = new SeenBatches();
  readonly #intake: Intake;
  readonly #writer: LogWriter;
  readonly #eventWriter: EventWriter;
  readonly #frameWriter = new FrameWriter();
  readonly #frameClock: FrameClock;
  readonly #pauses: PauseMeter;
  readonly #made: MadeFrame[] = [];
  #replica: Replica;
  #state: State = 'claiming';
  #isLeaving = false;
  #subscription: Subscription | undefined;
  #pumpTimer: Timer | undefined;
  #heartbeatTimer: Timer | undefined;
  readonly #vitals: VitalSigns;
  #wakeTimer: Timer | undefined;
  #wakesAtMs = 0;
  #madeMs = Number.NEGATIVE_INFINITY;
  #gapTimer: Timer | undefined;
  /** Commands to flag as poison when gateways send them again. */
  #suspects: readonly CommandId[];
  #acknowledged: { readonly sequence: number; readonly commandsApplied: number };
  readonly #stateHashes: StateHashes;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#replica = options.replica;
    this.#epoch = options.replica.epoch + 1;
    const { authority, intake, watcher } = options;
    this.#intake = new Intake(intake, authority, (one) => watcher.commandForbidden(one));
    this.#stateHashes = new StateHashes(options.stateHashes);
    const { sequence } = options.replica;
    this.#acknowledged = { sequence, commandsApplied: options.replica.exchange.commandsApplied };
    const { clock, clocks, commands, events, eventsEnd, retryMs } = options;
    const lastMs = options.replica.exchange.timeMs;
    this.#frameClock = new FrameClock({ clock, clocks, lastMs, idleMs: options.idleMs });
    this.#writer = new LogWriter({
      log: commands,
      clock,
      retryMs,
      last: sequence,
      onStored: (stored) => this.#frameStored(stored),
      onFenced: (reason) => this.#end({ kind: 'fenced', reason }),
      onLost: (reason) => this.#end({ kind: 'failed', reason }),
    });
    this.#vitals = new VitalSigns({
      ...options,
      writer: this.#writer,
      onRival: (reason) => this.#end({ kind: 'fenced', reason }),
      onLost: (reason) => this.#end({ kind: 'failed', reason }),
    });
    this.#eventWriter = new EventWriter({
      log: events,
      clock,
      retryMs,
      gapMs: options.eventGapMs,
      end: eventsEnd,
      onStored: () => this.#pumpSoon(),
      onFault: (reason) => this.#end({ kind: 'failed', reason }),
    });
    this.#eventWriter.push(options.eventsLacking);
    this.#suspects = options.poison.commands;
    this.#pauses = new PauseMeter(clock, Math.max(this.#frameClock.nowMs() - lastMs, 0));
    this.#makeFrame([], options.poison.steps);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** True if the log has its first frame and the epoch has not ended. */
  get isElected(): boolean {
    return this.#state !== 'claiming' && this.#state !== 'ended';
  }

  get isServing(): boolean {
    return this.#state === 'leading' && !this.#writer.isReconciling && !this.#vitals.isLogSilent;
  }

  /** Last acknowledged frame. */
  get stored(): number {
    return this.#writer.stored;
  }

  /** See VitalSigns. */
  get unacknowledgedMs(): number {
    return this.#vitals.unacknowledgedMs;
  }

  /** Milliseconds since the last acknowledged append. */
  get acknowledgedMs(): number {
    return this.#writer.acknowledgedMs;
  }

  /** Time of its frames. */
  get time(): Pick<FrameClock, 'aheadMs' | 'machineAheadMs'> {
    return this.#frameClock;
  }

  get waiting(): number {
    return this.#intake.waiting;
  }

  /** Called when one of its heartbeats has come back over the bus. */
  onOwnHeartbeat(): void {
    this.#vitals.onOwnHeartbeat();
  }

  /** Refuses new batches, and ends once everything accepted so far is stored and answered. */
  yieldLeadership(): void {
    this.#isLeaving = true;
    if (this.#state === 'leading') this.#state = 'leaving';
    this.#sendHeartbeat();
    this.#pumpSoon();
  }

  /** Stops immediately and sends nothing more, as if the process were killed. */
  stop(): void {
    this.#state = 'ended';
    this.#subscription?.stop();
    this.#options.heartbeats.stop();
    this.#vitals.stop();
    this.#writer.stop();
    this.#eventWriter.stop();
    const timers = [this.#pumpTimer, this.#gapTimer, this.#heartbeatTimer, this.#wakeTimer];
    for (const timer of timers) timer?.cancel();
  }

  #end(end: LeaderEnd): void {
    if (this.#state === 'ended') return;
    this.stop();
    this.#options.onEnd(end);
  }

  #serve(): void {
    const { bus, subjects } = this.#options;
    this.#state = this.#isLeaving ? 'leaving' : 'leading';
    this.#subscription ??= bus.subscribe(subjects.commands, (message, subject) =>
      this.#onBatch(message, subjects.senderOf(subject)),
    );
    this.#sendHeartbeat();
    this.#pumpSoon();
  }

  #onBatch(message: Uint8Array, sender: string): void {
    const decoded = decodeBatch(message);
    if (decoded === undefined) return;
    const batch: SentBatch = { ...decoded, sender };
    // The gateway might have seen a later leader, whose first frame must be in the log: then this
    // epoch has ended. That leader might have exited and send no heartbeat. A gateway's message
    // alone must not end an epoch: the log decides.
    if (batch.epoch > this.#epoch) this.#vitals.checkForRival();
    // A batch for another epoch is neither accepted nor refused by this leader.
    if (batch.epoch !== this.#epoch) return;
    if (!this.#seen.isOwner(batch)) {
      this.#options.watcher.commandForbidden({ sender, kind: 'source' });
      this.#refuse(batch, 'not_permitted');
      return;
    }
    if (!this.#seen.isNew(batch)) return;
    if (this.#isLeaving) {
      this.#refuse(batch, 'not_leading');
      return;
    }
    const { commandsApplied, limits, window } = this.#replica.exchange;
    const { commandWindow } = limits;
    const { forgottenThrough } = window;
    // While rebuilding, the replica has counted commands that will be applied again.
    const isRebuilding = this.#state === 'rebuilding';
    const refusal = isRebuilding
      ? 'busy'
      : this.#intake.offer(batch, {
          commandsApplied,
          commandWindow,
          forgottenThrough,
          nowMs: this.#options.clock.elapsedMs(),
          inFlight: () => this.#made.flatMap(({ batches }) => batches),
        });
    if (refusal === undefined) this.#pumpSoon();
    else this.#refuse(batch, refusal);
  }

  #refuse({ batch, sender, source }: SentBatch, reason: BatchRefusal): void {
    const { bus, subjects, watcher } = this.#options;
    watcher.batchRefused(reason);
    const message = encodeBatchRefused({
      kind: 'batch-refused',
      epoch: this.#epoch,
      batch,
      reason,
    });
    bus.publish(subjects.resultsFor(sender, source), message);
  }

  /** Deferred to the next turn, so messages that arrive together share a frame. */
  #pumpSoon(): void {
    this.#pumpTimer ??= this.#options.clock.soon(() => {
      this.#pumpTimer = undefined;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#state !== 'leading' && this.#state !== 'leaving') return;
    const { eventBytesMax, frameCommandsWanted } = this.#options;
    while (this.#intake.waiting > 0 && this.#writer.pending < FRAMES_PENDING_MAX) {
      const isLargeEnough =
        this.#writer.pending === 0 || this.#intake.waiting >= frameCommandsWanted;
      if (!isLargeEnough || this.#eventWriter.waitingBytes > eventBytesMax) break;
      if (this.#waitsForGap()) break;
      this.#makeFrame(this.#boundedWhileDue(this.#intake.take()), []);
      if (this.#state !== 'leading' && this.#state !== 'leaving') return;
    }
    const isDone = this.#intake.waiting === 0 && this.#writer.pending === 0;
    if (this.#state === 'leaving' && isDone && this.#eventWriter.isIdle) {
      this.#end({ kind: 'yielded', sequence: this.#writer.stored });
    } else if (isDone) {
      this.#scheduleWake();
    }
  }

  /** A leader that leaves does not wait. */
  #waitsForGap(): boolean {
    const { clock, frameCommandsWanted, frameGapMs } = this.#options;
    const leftMs = this.#madeMs + frameGapMs - clock.elapsedMs();
    const isLarge = this.#intake.waiting >= frameCommandsWanted;
    if (leftMs <= 0 || isLarge || this.#state === 'leaving') return false;
    this.#gapTimer ??= clock.after(leftMs, () => {
      this.#gapTimer = undefined;
      this.#pump();
    });
    return true;
  }

  #boundedWhileDue(batches: readonly QueuedBatch[]): readonly QueuedBatch[] {
    const { switches } = this.#replica.exchange;
    if (this.#frameClock.nowMs() < switches.noneDueBeforeMs) return batches;
    const { head, rest } = splitBatches(batches, countWhileDue(concatenated(batches)));
    this.#intake.putBack(rest);
    return head;
  }

  /** Some work is due by time alone, without a command. Builds an empty frame for it. */
  #scheduleWake(): void {
    const atMs = wakesAtMs(this.#replica.exchange);
    const isSoonEnough = this.#wakeTimer !== undefined && this.#wakesAtMs <= atMs;
    if (atMs === Number.POSITIVE_INFINITY || isSoonEnough) return;
    const { clock } = this.#options;
    this.#wakeTimer?.cancel();
    this.#wakesAtMs = atMs;
    this.#wakeTimer = clock.after(Math.max(this.#frameClock.untilMs(atMs), 1), () => {
      this.#wakeTimer = undefined;
      const isIdle = this.#state === 'leading' && this.#writer.pending === 0;
      const isDue = wakesAtMs(this.#replica.exchange) <= this.#frameClock.nowMs();
      if (isIdle && isDue) this.#makeFrame([], []);
      this.#pumpSoon();
    });
  }

  #makeFrame(batches: readonly QueuedBatch[], known: readonly number[]): void {
    this.#madeMs = this.#options.clock.elapsedMs();
    const replica = this.#replica;
    const poisoned = [...known, ...this.#takeSuspected(batches)];
    const nowMs = Math.max(this.#frameClock.nowMs(), replica.exchange.timeMs);
    const { pausedMs } = this.#pauses;
    const header = {
      sequence: replica.sequence + 1,
      epoch: this.#epoch,
      writer: this.#options.writer,
      timeMs: nowMs as TimeMs,
      previousHash: replica.frameHash,
      ...(poisoned.length > 0 ? { poisoned } : undefined),
      ...(pausedMs > 0 ? { pausedMs } : undefined),
    };
    const commands = batches.length === 1 ? batches[0].commands : concatenated(batches);
    const draft: CommandFrame = { ...header, commands };
    const events = this.#apply(draft, batches);
    if (events === undefined) return;
    const { commandsApplied } = replica.exchange;
    const { firstCommand } = events;
    const count = commandsApplied + 1 - firstCommand;
    // Commands beyond one frame's work go into the next, with their poison flags.
    const { head, rest } = splitBatches(batches, count);
    const { frame, missed } = cutFrame(draft, firstCommand, count);
    this.#intake.putBack(rest);
    this.#suspects = [...this.#suspects, ...missed];
    openCommandFrame(this.#frameWriter, frame);
    for (const { records } of head) appendCommandRecords(this.#frameWriter, records);
    const bytes = closeFrame(this.#frameWriter);
    const frameHash = hashFrame(bytes);
    const message = sealFrame(bytes, frameHash);
    const applied = replica.finish(frame, frameHash, events);
    this.#made.push({ applied, batches: head, commandsApplied, results: undefined });
    this.#options.watcher.frameMade(frame.commands.length, message.length);
    this.#writer.append(message);
    this.#pauses.stated();
    // Deferred until the frame is in flight.
    this.#options.clock.soon(() => this.#prepareResults());
    this.#stateHashes.after(replica);
  }

  /** Returns the numbers that suspected commands will have. */
  #takeSuspected(batches: readonly QueuedBatch[]): number[] {
    if (this.#suspects.length === 0) return [];
    const first = this.#replica.exchange.commandsApplied + 1;
    const numbers: number[] = [];
    for (const [at, command] of concatenated(batches).entries()) {
      const isOther = (suspect: CommandId) => !isSameId(suspect, command);
      if (this.#suspects.every(isOther)) continue;
      numbers.push(first + at);
      this.#suspects = this.#suspects.filter(isOther);
    }
    return numbers;
  }

  #apply(frame: CommandFrame, batches: readonly QueuedBatch[]): EventFrame | undefined {
    const first = this.#replica.exchange.commandsApplied + 1;
    try {
      return this.#replica.begin(frame, this.#options.frameVisitsMax);
    } catch (fault) {
      if (!(fault instanceof PoisonFault)) throw fault;
      this.#options.watcher.commandPoisoned(fault);
      const poisoned = [...(frame.poisoned ?? []), fault.poison];
      this.#rebuild(batches, poisoned, this.#poisonFor(poisoned, frame, first));
      return undefined;
    }
  }

  /** Identifies commands by ID, because gateways send them again, and time steps by number. */
  #poisonFor(poisoned: readonly number[], { commands }: CommandFrame, first: number): Poison {
    const found = poisoned.filter((number) => number > 0).map((number) => commands[number - first]);
    const ids = found.map(({ number, source }) => ({ number, source }));
    return {
      steps: poisoned.filter((number) => number < 0),
      commands: [...this.#suspects, ...ids],
    };
  }

  /**
   * Once all earlier frames are stored, a standby takes over, or a new replica applies this frame
   * with the poison flagged. A claiming leader has no successor, because it might be one itself.
   */
  #rebuild(batches: readonly QueuedBatch[], poisoned: readonly number[], poison: Poison): void {
    const { clock, findSuccessor, rebuild, retryMs } = this.#options;
    const before = this.#state;
    this.#state = 'rebuilding';
    let questions = before === 'claiming' ? SUCCESSOR_QUESTIONS_MAX : 0;
    const go = () => {
      if (this.#state !== 'rebuilding') return;
      if (this.#writer.pending > 0) {
        clock.after(retryMs, go);
        return;
      }
      const { stored: sequence } = this.#writer;
      const successor = questions < SUCCESSOR_QUESTIONS_MAX ? findSuccessor(sequence) : 'none';
      if (successor === 'ready') {
        this.#end({ kind: 'poisoned', sequence, poison });
        return;
      }
      if (successor === 'lagging') {
        questions++;
        clock.after(retryMs, go);
        return;
      }
      rebuild(this.#writer.stored, (replica) => {
        if (this.#state !== 'rebuilding') return;
        this.#replica = replica;
        this.#state = before === 'leading' && this.#isLeaving ? 'leaving' : before;
        this.#makeFrame(batches, poisoned);
        this.#pumpSoon();
      });
    };
    go();
  }

  #prepareResults(): void {
    for (const made of this.#made) made.results ??= this.#resultsOf(made);
  }

  #resultsOf({ applied, batches, commandsApplied }: MadeFrame): AddressedResults[] {
    const { epoch, sequence, timeMs } = applied.frame;
    if (batches.length === 0) return [];
    return frameResults(applied, batches, { epoch, sequence, timeMs, commandsApplied });
  }

  #frameStored(sequence: number): void {
    const made = this.#made.shift();
    if (made === undefined || this.#state === 'ended') return;
    const { bus, subjects, watcher } = this.#options;
    this.#acknowledged = { sequence, commandsApplied: made.commandsApplied };
    this.#vitals.logStored();
    this.#pauses.stored(this.#writer.pending);
    const results = made.results ?? this.#resultsOf(made);
    for (const { message, sender, source } of results) {
      bus.publish(subjects.resultsFor(sender, source), message);
    }
    this.#eventWriter.push(made.applied.encoded.parts);
    watcher.frameStored(sequence, made.applied.frame.commands.length);
    if (this.#state === 'claiming') {
      watcher.leaderElected(this.#epoch, sequence);
      this.#serve();
    } else {
      this.#pump();
    }
  }

  #sendHeartbeat(): void {
    if (this.#state === 'ended' || this.#state === 'claiming') return;
    const { clock, heartbeatMs, heartbeats } = this.#options;
    if (!this.#vitals.beat()) {
      this.#end({ kind: 'fenced', reason: 'its heartbeats do not come back from the bus' });
      return;
    }
    heartbeats.send(this.#heartbeat());
    this.#vitals.checkLog();
    this.#heartbeatTimer?.cancel();
    this.#heartbeatTimer = clock.after(heartbeatMs, () => this.#sendHeartbeat());
  }

  #heartbeat(): LeaderHeartbeat {
    const { sequence } = this.#acknowledged;
    const hash = this.#stateHashes.latest(sequence);
    const isWaiting =
      this.#writer.isReconciling || this.#state === 'rebuilding' || this.#vitals.isLogSilent;
    const state: LeaderState = this.#isLeaving ? 'leaving' : isWaiting ? 'waiting' : 'leading';
    return {
      instance: this.#options.instance,
      writer: this.#options.writer,
      clockMs: this.#options.clock.nowMs(),
      linkAddress: this.#options.linkAddress,
      epoch: this.#epoch,
      state,
      ...this.#acknowledged,
      unacknowledgedMs: Math.round(this.unacknowledgedMs),
      acknowledgedMs: Math.round(this.acknowledgedMs),
      eventsSequence: this.#eventWriter.storedSequence,
      schemaVersion: SCHEMA_VERSION,
      // Only up to the acknowledged frame, because the replica is ahead of the log.
      outputDigests: this.#replica.outputDigests.filter((digest) => digest.sequence <= sequence),
      stateHash: hash?.stateHash ?? '',
      stateHashSequence: hash?.sequence ?? 0,
    };
  }
}

function isSameId(one: CommandId, other: CommandId): boolean {
  return one.source === other.source && one.number === other.number;
}

function concatenated(batches: readonly QueuedBatch[]): Command[] {
  return batches.flatMap(({ commands }) => commands);
}
