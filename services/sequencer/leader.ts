// The reign of a leader: collects commands into frames, applies them, has them stored, and only
// then tells anyone. It ends when the log holds another writer's frame, or when it hands over.
// It must never tell a gateway what the log has not acknowledged.

import {
  appendCommandRecords,
  type Command,
  type CommandFrame,
  closeFrame,
  FrameWriter,
  type Limits,
  openCommandFrame,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import {
  type Batch,
  decodeBatch,
  encodeBatchRefused,
  encodeBeat,
  type LeaderBeat,
  type LeaderState,
  type LinkAddress,
  type LinkSubjects,
} from '../../infra/command-link/index.ts';
import {
  type EventPart,
  type EventsEnd,
  EventWriter,
  hashFrame,
  type LogStream,
  LogWriter,
  sealFrame,
} from '../../infra/journal/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { type Applied, PoisonFault, type Replica, wakesAtMs } from '../../infra/replica/index.ts';
import { type AddressedResults, frameResults } from './frame-results.ts';
import { genesisRecords } from './genesis.ts';
import { Intake, type IntakeLimits, type QueuedBatch } from './intake.ts';
import { SeenBatches } from './seen-batches.ts';
import { StateHashes } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface LeaderOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly subjects: LinkSubjects;
  readonly instance: string;
  /** Where gateways may speak to it directly. */
  readonly door?: LinkAddress | undefined;
  /** No other sequencer has the same: the bytes of its frames are its own. */
  readonly writer: number;
  readonly watcher: SequencerWatcher;
  readonly intake: IntakeLimits;
  /** The limits of an exchange whose log is still empty. */
  readonly genesis: Limits;
  readonly stateHashes: { readonly everyFrames: number; readonly budgetMs: number };
  readonly heartbeatMs: number;
  readonly retryMs: number;
  /** A frame with more commands than this does not wait for the one before to be stored. */
  readonly frameCommandsWanted: number;
  /** Bound on what the EVENTS log has not taken yet; beyond it no frame is made. */
  readonly eventBytesMax: number;
  /** Everything in the log has been applied to it. */
  readonly replica: Replica;
  /** How far the EVENTS log is, and what it still lacks. */
  readonly eventsEnd: EventsEnd;
  readonly eventsLacking: readonly EventPart[];
  /** A fresh replica at this frame, the end of the log; the one in use is torn. */
  rebuild(sequence: number, done: (replica: Replica) => void): void;
  onEnd(end: LeaderEnd): void;
}

export type LeaderEnd =
  | { readonly kind: 'fenced' | 'failed'; readonly reason: string }
  | { readonly kind: 'left'; readonly sequence: number };

/**
 * claiming:   its first frame is on its way; nobody is told anything yet.
 * leading:    takes batches.
 * rebuilding: the engine failed on a command. What is stored counts; a fresh replica is on its
 *             way, and the frame will be made again with that command named as poison.
 * leaving:    takes no more batches, and ends when all that it took is stored.
 * ended.
 */
type State = 'claiming' | 'leading' | 'rebuilding' | 'leaving' | 'ended';

interface MadeFrame {
  readonly applied: Applied;
  readonly batches: readonly QueuedBatch[];
  readonly commandsApplied: number;
  results: AddressedResults[] | undefined;
}

/** An idle leader looks at the log about once a second. */
const BEATS_PER_LOOK = 10;
/** One under way to the log, and one made while that travels. */
const FRAMES_PENDING_MAX = 2;

export class Leader {
  readonly #options: LeaderOptions;
  readonly #epoch: number;
  readonly #seen = new SeenBatches();
  readonly #intake: Intake;
  readonly #writer: LogWriter;
  readonly #eventWriter: EventWriter;
  readonly #frameWriter = new FrameWriter();
  readonly #made: MadeFrame[] = [];
  #replica: Replica;
  #state: State = 'claiming';
  #isLeaving = false;
  #subscription: Subscription | undefined;
  #pumping: Timer | undefined;
  #beating: Timer | undefined;
  #beats = 0;
  #waking: Timer | undefined;
  #wakesAtMs = 0;
  #acknowledged: { readonly sequence: number; readonly commandsApplied: number };
  readonly #stateHashes: StateHashes;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#replica = options.replica;
    this.#epoch = options.replica.epoch + 1;
    this.#intake = new Intake(options.intake);
    this.#stateHashes = new StateHashes({ clock: options.clock, ...options.stateHashes });
    const { sequence } = options.replica;
    this.#acknowledged = { sequence, commandsApplied: options.replica.exchange.commandsApplied };
    const { clock, commands, events, eventsEnd, retryMs } = options;
    this.#writer = new LogWriter({
      log: commands,
      clock,
      retryMs,
      last: sequence,
      onStored: (stored) => this.#frameStored(stored),
      onFenced: (reason) => this.#end({ kind: 'fenced', reason }),
    });
    this.#eventWriter = new EventWriter({
      log: events,
      clock,
      retryMs,
      end: eventsEnd,
      onStored: () => this.#pumpSoon(),
      onFault: (reason) => this.#end({ kind: 'failed', reason }),
    });
    this.#eventWriter.push(options.eventsLacking);
    const isFirst = sequence === 0;
    this.#makeFrame(isFirst ? [genesisRecords(options.genesis)] : [], []);
  }

  get epoch(): number {
    return this.#epoch;
  }

  get isServing(): boolean {
    return this.#state === 'leading' && !this.#writer.isMending;
  }

  get waiting(): number {
    return this.#intake.waiting;
  }

  /** Ends once everything taken so far is stored and told. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#state === 'leading') this.#state = 'leaving';
    this.#beat();
    this.#pumpSoon();
  }

  /** At once, as a process that is killed does; nothing more is sent. */
  stop(): void {
    this.#state = 'ended';
    this.#subscription?.stop();
    this.#writer.stop();
    this.#eventWriter.stop();
    for (const timer of [this.#pumping, this.#beating, this.#waking]) timer?.cancel();
  }

  #end(end: LeaderEnd): void {
    if (this.#state === 'ended') return;
    this.stop();
    this.#options.onEnd(end);
  }

  #serve(): void {
    const { bus, subjects } = this.#options;
    this.#state = this.#isLeaving ? 'leaving' : 'leading';
    this.#subscription ??= bus.subscribe(subjects.commands, (message) => this.#hear(message));
    this.#beat();
    this.#pumpSoon();
  }

  #hear(message: Uint8Array): void {
    const batch = decodeBatch(message);
    if (batch === undefined) return;
    // Gateways have heard a later leader, whose first frame the log must have: ours has ended. That
    // one may be dead by now, and nobody else would tell us.
    if (batch.epoch > this.#epoch) {
      this.#end({ kind: 'fenced', reason: `gateways know of epoch ${batch.epoch}` });
      return;
    }
    // A batch for an earlier epoch is not ours to take, nor to refuse.
    if (batch.epoch !== this.#epoch) return;
    if (!this.#seen.isNew(batch)) return;
    if (this.#isLeaving) {
      this.#refuse(batch, 'not_leading');
      return;
    }
    const { commandsApplied, limits } = this.#replica.exchange;
    const { commandWindow } = limits;
    // A torn exchange has counted some of the commands that it will be given again.
    const isTorn = this.#state === 'rebuilding';
    const refusal = isTorn ? 'busy' : this.#intake.offer(batch, { commandsApplied, commandWindow });
    if (refusal === undefined) this.#pumpSoon();
    else this.#refuse(batch, refusal);
  }

  #refuse(
    { batch, source }: Batch,
    reason: 'busy' | 'too_old' | 'not_leading' | 'malformed',
  ): void {
    const { bus, subjects, watcher } = this.#options;
    watcher.batchRefused(reason);
    const message = encodeBatchRefused({
      kind: 'batch-refused',
      epoch: this.#epoch,
      batch,
      reason,
    });
    bus.publish(subjects.resultsFor(source), message);
  }

  /** After what is under way: messages that came together go into one frame. */
  #pumpSoon(): void {
    this.#pumping ??= this.#options.clock.soon(() => {
      this.#pumping = undefined;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#state !== 'leading' && this.#state !== 'leaving') return;
    const { eventBytesMax, frameCommandsWanted } = this.#options;
    while (this.#intake.waiting > 0 && this.#writer.pending < FRAMES_PENDING_MAX) {
      const isWorthIt = this.#writer.pending === 0 || this.#intake.waiting >= frameCommandsWanted;
      if (!isWorthIt || this.#eventWriter.waitingBytes > eventBytesMax) break;
      this.#makeFrame(this.#intake.take(), []);
      if (this.#state !== 'leading' && this.#state !== 'leaving') return;
    }
    const isDone = this.#intake.waiting === 0 && this.#writer.pending === 0;
    if (this.#state === 'leaving' && isDone && this.#eventWriter.isIdle) {
      this.#end({ kind: 'left', sequence: this.#writer.stored });
    } else if (isDone) {
      this.#wakeInTime();
    }
  }

  /** Time alone may have something to do, without any command: then a frame of none is made. */
  #wakeInTime(): void {
    const atMs = wakesAtMs(this.#replica.exchange);
    const isSoonEnough = this.#waking !== undefined && this.#wakesAtMs <= atMs;
    if (atMs === Number.POSITIVE_INFINITY || isSoonEnough) return;
    const { clock } = this.#options;
    this.#waking?.cancel();
    this.#wakesAtMs = atMs;
    this.#waking = clock.after(Math.max(atMs - clock.nowMs(), 1), () => {
      this.#waking = undefined;
      const isIdle = this.#state === 'leading' && this.#writer.pending === 0;
      if (isIdle && wakesAtMs(this.#replica.exchange) <= clock.nowMs()) this.#makeFrame([], []);
      this.#pumpSoon();
    });
  }

  #makeFrame(batches: readonly QueuedBatch[], poisoned: readonly number[]): void {
    const replica = this.#replica;
    const nowMs = Math.max(this.#options.clock.nowMs(), replica.exchange.timeMs);
    const header = {
      sequence: replica.sequence + 1,
      epoch: this.#epoch,
      writer: this.#options.writer,
      timeMs: nowMs as TimeMs,
      previousHash: replica.frameHash,
      ...(poisoned.length > 0 ? { poisoned } : undefined),
    };
    openCommandFrame(this.#frameWriter, header);
    for (const { records } of batches) appendCommandRecords(this.#frameWriter, records);
    const bytes = closeFrame(this.#frameWriter);
    const frameHash = hashFrame(bytes);
    const message = sealFrame(bytes, frameHash);
    const commands = batches.length === 1 ? batches[0].commands : concatenated(batches);
    const frame: CommandFrame = { ...header, commands };
    const applied = this.#apply(frame, frameHash, batches);
    if (applied === undefined) return;
    const { commandsApplied } = replica.exchange;
    this.#made.push({ applied, batches, commandsApplied, results: undefined });
    this.#options.watcher.frameMade(commands.length, message.length);
    this.#writer.append(message);
    // While the frame travels, after it has left.
    this.#options.clock.soon(() => this.#prepareResults());
    this.#stateHashes.after(replica);
  }

  #apply(
    frame: CommandFrame,
    frameHash: Uint8Array,
    batches: readonly QueuedBatch[],
  ): Applied | undefined {
    try {
      return this.#replica.apply(frame, frameHash, frame.commands.length);
    } catch (fault) {
      if (!(fault instanceof PoisonFault)) throw fault;
      this.#rebuild(batches, [...(frame.poisoned ?? []), fault.poison], fault);
      return undefined;
    }
  }

  /** The frame is not in the log. Once all before it is, a fresh replica takes it, poison named. */
  #rebuild(batches: readonly QueuedBatch[], poisoned: readonly number[], fault: PoisonFault): void {
    const { clock, rebuild, retryMs, watcher } = this.#options;
    watcher.poisonMet(fault);
    const before = this.#state;
    this.#state = 'rebuilding';
    const go = () => {
      if (this.#state !== 'rebuilding') return;
      if (this.#writer.pending > 0) {
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
    const fromGateways = batches.filter(({ source }) => source !== 0);
    if (fromGateways.length === 0) return [];
    return frameResults(applied, fromGateways, { epoch, sequence, timeMs, commandsApplied });
  }

  #frameStored(sequence: number): void {
    const made = this.#made.shift();
    if (made === undefined || this.#state === 'ended') return;
    const { bus, subjects, watcher } = this.#options;
    this.#acknowledged = { sequence, commandsApplied: made.commandsApplied };
    const results = made.results ?? this.#resultsOf(made);
    for (const { message, source } of results) bus.publish(subjects.resultsFor(source), message);
    this.#eventWriter.push(made.applied.encoded.parts);
    watcher.frameStored(sequence, made.applied.frame.commands.length);
    if (this.#state === 'claiming') {
      watcher.leads(this.#epoch, sequence);
      this.#serve();
    } else {
      this.#pump();
    }
  }

  #beat(): void {
    if (this.#state === 'ended' || this.#state === 'claiming') return;
    const { bus, clock, heartbeatMs, subjects } = this.#options;
    bus.publish(subjects.leader, encodeBeat(this.#beatNow()));
    if (++this.#beats % BEATS_PER_LOOK === 0 && this.#writer.pending === 0) this.#lookAtLog();
    this.#beating?.cancel();
    this.#beating = clock.after(heartbeatMs, () => this.#beat());
  }

  /** A leader with nothing to append would never hear from the log that it has been replaced. */
  #lookAtLog(): void {
    this.#options.commands.extent((extent) => {
      if (this.#state === 'ended' || extent === undefined || this.#writer.pending > 0) return;
      if (extent.last <= this.#writer.stored) return;
      this.#end({ kind: 'fenced', reason: `message ${extent.last} is another writer's` });
    });
  }

  #beatNow(): LeaderBeat {
    const { sequence } = this.#acknowledged;
    const hash = this.#stateHashes.latest(sequence);
    const isWaiting = this.#writer.isMending || this.#state === 'rebuilding';
    const state: LeaderState = this.#isLeaving ? 'leaving' : isWaiting ? 'waiting' : 'leading';
    return {
      instance: this.#options.instance,
      door: this.#options.door,
      epoch: this.#epoch,
      state,
      ...this.#acknowledged,
      eventsSequence: this.#eventWriter.storedSequence,
      schemaVersion: SCHEMA_VERSION,
      // Only of what is in the log: the replica is ahead of it.
      outputDigests: this.#replica.outputDigests.filter((digest) => digest.sequence <= sequence),
      stateHash: hash?.stateHash ?? '',
      stateHashSequence: hash?.sequence ?? 0,
    };
  }
}

function concatenated(batches: readonly QueuedBatch[]): Command[] {
  return batches.flatMap(({ commands }) => commands);
}
