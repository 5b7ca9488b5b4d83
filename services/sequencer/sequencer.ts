// One sequencer: it follows the log, and leads when nobody else does. Signs of life only decide
// when to try; that only one can lead is decided by the log. It ends rather than going on in doubt,
// and whoever runs it starts it again.

import { type Limits, SCHEMA_VERSION } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import {
  decodeHandOver,
  decodeLeaderBeat,
  decodeStandbyBeat,
  encodeBeat,
  type HandOver,
  type LeaderBeat,
  type LinkAddress,
  type LinkSubjects,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import {
  type EventsEnd,
  findEventsEnd,
  type LogStream,
  type SnapshotStore,
} from '../../infra/journal/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { FollowingReplica, type Replica } from '../../infra/replica/index.ts';
import { EventTail } from './event-tail.ts';
import { INTAKE_DEFAULTS, type IntakeLimits } from './intake.ts';
import { Leader, type LeaderEnd } from './leader.ts';
import { StateHashes } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface SequencerOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** Its own name, different from every other's. */
  readonly instance: string;
  /** Where gateways may speak to it directly while it leads. */
  readonly door?: LinkAddress | undefined;
  /** Drawn by chance: two that claim an epoch in the same moment must not write the same bytes. */
  readonly writer: number;
  /** The limits of an exchange whose log is still empty. */
  readonly genesis: Limits;
  readonly settings: SequencerSettings;
  readonly watcher: SequencerWatcher;
  onEnd(end: SequencerEnd): void;
}

export interface SequencerSettings {
  readonly heartbeatMs: number;
  /** Without a sign of life for so long, a standby takes over. */
  readonly takeoverAfterMs: number;
  readonly retryMs: number;
  readonly watchMs: number;
  readonly frameCommandsWanted: number;
  readonly eventBytesMax: number;
  readonly stateHashes: { readonly everyFrames: number; readonly budgetMs: number };
  readonly intake: IntakeLimits;
}

export const SEQUENCER_DEFAULTS: SequencerSettings = {
  heartbeatMs: 100,
  takeoverAfterMs: 800,
  retryMs: 50,
  watchMs: 500,
  frameCommandsWanted: 256,
  eventBytesMax: 64 * 1024 * 1024,
  stateHashes: { everyFrames: 4_096, budgetMs: 20 },
  intake: INTAKE_DEFAULTS,
};

/**
 * left: handed over, or had nothing to hand over. fenced: another leads. halted: what it holds or
 * finds can not be right, and a person should look before it runs again.
 */
export interface SequencerEnd {
  readonly kind: 'left' | 'fenced' | 'halted';
  readonly reason: string;
}

/**
 * starting:    waits for the log, a snapshot, and the frames since.
 * following:   applies frames as they come; watches for signs of a leader.
 * taking-over: asks the logs where they end, and waits until it is there.
 * leading:     see Leader.
 * ended.
 */
export type SequencerState = 'starting' | 'following' | 'taking-over' | 'leading' | 'ended';

/** A standby that has not been heard for so many beats is not there to hand over to. */
const STANDBY_BEATS = 10;
/** A leader has about `eventBytesMax` of events to store at the most: who keeps more has them. */
const TAIL_FACTOR = 4;
/** A pause between two looks of more beats than this was our own: it says nothing of the leader. */
const OWN_PAUSE_BEATS = 5;

export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #settings: SequencerSettings;
  readonly #subjects: LinkSubjects;
  readonly #subscriptions: Subscription[] = [];
  readonly #stateHashes: StateHashes;
  readonly #standbys = new Map<string, number>();
  #state: SequencerState = 'starting';
  #follower: FollowingReplica | undefined;
  #tail: EventTail | undefined;
  #leader: Leader | undefined;
  #looking: Timer | undefined;
  #lastLookMs = 0;
  #lastSignMs = 0;
  #lastBeat: LeaderBeat | undefined;
  #agreedUpTo = 0;
  #isLeaving = false;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#subjects = linkSubjects(options.exchange);
    this.#stateHashes = new StateHashes({ clock: options.clock, ...options.settings.stateHashes });
    const { bus } = options;
    this.#subscriptions.push(
      bus.subscribe(this.#subjects.leader, (message) => this.#hearLeader(message)),
      bus.subscribe(this.#subjects.standby, (message) => this.#hearStandby(message)),
      bus.subscribe(this.#subjects.handOver, (message) => this.#hearHandOver(message)),
    );
    this.#signOfLife();
    this.#lookAround();
    this.#start();
  }

  get state(): SequencerState {
    return this.#state;
  }

  get leader(): Leader | undefined {
    return this.#leader;
  }

  get replica(): Replica | undefined {
    return this.#follower?.replica;
  }

  /** Somebody is there to hand over to. */
  get hasStandby(): boolean {
    return this.#nearestStandby() !== undefined;
  }

  /** Hands over if it leads and somebody is there; then ends. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#leader === undefined) this.#end({ kind: 'left', reason: 'it was asked to stop' });
    else this.#leader.leave();
  }

  /** At once, as a process that is killed does. */
  stop(): void {
    this.#state = 'ended';
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#follower?.stop();
    this.#leader?.stop();
    this.#looking?.cancel();
  }

  #end(end: SequencerEnd): void {
    if (this.#state === 'ended') return;
    this.stop();
    this.#options.onEnd(end);
  }

  #halt(reason: string, cause?: unknown): void {
    this.#end({ kind: 'halted', reason: cause === undefined ? reason : `${reason}: ${cause}` });
  }

  /** From the last snapshot whose events are all stored: what came after it is made again. */
  #start(): void {
    this.#state = 'starting';
    this.#follower?.stop();
    this.#askEventsEnd((end) => {
      if (this.#state !== 'starting') return;
      if (end === undefined) {
        this.#options.clock.after(this.#settings.retryMs, () => {
          if (this.#state === 'starting') this.#start();
        });
        return;
      }
      const after = completeUpTo(end);
      const bytesMax = TAIL_FACTOR * this.#settings.eventBytesMax;
      this.#tail = new EventTail({ after, bytesMax });
      this.#follow(after);
    });
  }

  #askEventsEnd(done: (end: EventsEnd | undefined) => void): void {
    findEventsEnd(this.#options.events, (end) => {
      if (this.#state === 'ended') return;
      if (end === 'damaged') this.#halt('the last batch of the EVENTS log is damaged');
      else done(end);
    });
  }

  #follow(atMost: number): void {
    const { clock, commands, snapshots, watcher } = this.#options;
    const { retryMs, watchMs } = this.#settings;
    const tail = this.#tail;
    this.#follower = new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs,
      watchMs,
      atMost,
      onStarted: ({ sequence }) => {
        watcher.started(sequence);
        this.#signOfLife();
        this.#state = 'following';
      },
      onApplied: ({ encoded }, replica) => {
        this.#signOfLife();
        if (replica.sequence > atMost) tail?.push(encoded.parts);
        this.#stateHashes.after(replica);
        this.#compare(replica);
      },
      onStuck: (reason) => watcher.stuck(reason),
      onFault: (reason, cause) => this.#halt(reason, cause),
    });
  }

  #signOfLife(): void {
    this.#lastSignMs = this.#options.clock.elapsedMs();
  }

  /** Many times a second: says that it is there, and sees whether a leader is. */
  #lookAround(): void {
    const { bus, clock, instance } = this.#options;
    const { heartbeatMs } = this.#settings;
    const nowMs = clock.elapsedMs();
    if (nowMs - this.#lastLookMs > OWN_PAUSE_BEATS * heartbeatMs) this.#lastSignMs = nowMs;
    this.#lastLookMs = nowMs;
    if (this.#state === 'following') {
      const sequence = this.#follower?.replica?.sequence ?? 0;
      bus.publish(this.#subjects.standby, encodeBeat({ instance, sequence }));
      if (nowMs - this.#lastSignMs > this.#patienceMs()) this.#takeOver('no sign of a leader');
    }
    this.#looking = clock.after(heartbeatMs, () => this.#lookAround());
  }

  /** Standbys do not all try in the same moment. */
  #patienceMs(): number {
    const { takeoverAfterMs } = this.#settings;
    let sum = 0;
    for (const character of this.#options.instance) sum = (sum * 31 + character.charCodeAt(0)) % 16;
    return takeoverAfterMs * (1 + sum / 64);
  }

  #hearLeader(message: Uint8Array): void {
    const beat = decodeLeaderBeat(message);
    if (beat === undefined || beat.instance === this.#options.instance) return;
    if (this.#leader !== undefined) {
      this.#hearRival(this.#leader, beat);
      return;
    }
    const replica = this.#follower?.replica;
    if (beat.epoch < (replica?.epoch ?? 0)) return;
    this.#signOfLife();
    this.#lastBeat = beat;
    this.#tail?.stored(beat.eventsSequence);
    if (replica !== undefined) this.#compare(replica);
    if (this.#state === 'taking-over') {
      this.#options.watcher.standsBack(`${beat.instance} leads`);
      this.#state = 'following';
    }
  }

  /** Whoever tells a later epoch has its first frame in the log: the log would refuse our next. */
  #hearRival(leader: Leader, { epoch, instance }: LeaderBeat): void {
    if (epoch <= leader.epoch) return;
    this.#end({ kind: 'fenced', reason: `${instance} leads epoch ${epoch}` });
  }

  #hearStandby(message: Uint8Array): void {
    const beat = decodeStandbyBeat(message);
    if (beat === undefined || beat.instance === this.#options.instance) return;
    this.#standbys.set(beat.instance, this.#options.clock.elapsedMs());
  }

  #hearHandOver(message: Uint8Array): void {
    const word = decodeHandOver(message);
    if (word?.to !== this.#options.instance || this.#state !== 'following') return;
    if (word.epoch >= (this.#follower?.replica?.epoch ?? 0)) {
      this.#takeOver(`${word.from} hands over`);
    }
  }

  /** A standby that does not agree with the leader is wrong, or the leader is: both are a bug. */
  #compare(replica: Replica): void {
    const beat = this.#lastBeat;
    if (beat === undefined || beat.schemaVersion !== SCHEMA_VERSION) return;
    for (const { digest, sequence } of beat.outputDigests) {
      if (sequence <= this.#agreedUpTo) continue;
      const own = replica.outputDigests.find((one) => one.sequence === sequence);
      if (own === undefined) continue;
      if (own.digest !== digest) {
        this.#halt(`the frames up to ${sequence} gave something else than the leader says`);
        return;
      }
      this.#agreedUpTo = sequence;
      this.#options.watcher.agreed(sequence);
    }
    const own = this.#stateHashes.at(beat.stateHashSequence);
    if (own !== undefined && own.stateHash !== beat.stateHash) {
      this.#halt(`the state at frame ${own.sequence} is another than the leader's`);
    }
  }

  #takeOver(reason: string): void {
    this.#options.watcher.takesOver(reason);
    this.#state = 'taking-over';
    this.#findEnds();
  }

  #findEnds(): void {
    this.#options.commands.extent((extent) => {
      if (this.#state !== 'taking-over') return;
      const sequence = this.#follower?.replica?.sequence ?? 0;
      if (extent === undefined || extent.last > sequence) {
        this.#findEndsLater();
        return;
      }
      this.#askEventsEnd((end) => {
        if (this.#state !== 'taking-over') return;
        const isThere = this.#follower?.replica?.sequence === sequence;
        // Events of a frame that we do not know: the answer about COMMANDS was an old one.
        if (end === undefined || !isThere || end.sequence > sequence) this.#findEndsLater();
        else this.#lead(end);
      });
    });
  }

  #findEndsLater(): void {
    this.#options.clock.after(this.#settings.retryMs, () => {
      if (this.#state === 'taking-over') this.#findEnds();
    });
  }

  #lead(eventsEnd: EventsEnd): void {
    const replica = this.#follower?.replica;
    const eventsLacking = this.#tail?.after(eventsEnd);
    if (replica === undefined || eventsLacking === undefined || eventsLacking === 'forgotten') {
      this.#start();
      return;
    }
    if (eventsLacking === 'different') {
      this.#halt(`the EVENTS log has other events for frame ${eventsEnd.sequence}`);
      return;
    }
    this.#follower?.stop();
    this.#state = 'leading';
    this.#leader = new Leader({
      ...this.#options,
      ...this.#settings,
      subjects: this.#subjects,
      replica,
      eventsEnd,
      eventsLacking,
      rebuild: (sequence, done) => this.#rebuild(sequence, done),
      onEnd: (end) => this.#leaderEnded(end),
    });
    if (this.#isLeaving) this.#leader.leave();
  }

  /** A second replica beside the torn one, up to the end of the log, which nobody else extends. */
  #rebuild(last: number, done: (replica: Replica) => void): void {
    const { clock, commands, snapshots } = this.#options;
    const { retryMs, watchMs } = this.#settings;
    const follower = new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs,
      watchMs,
      atMost: last,
      onStarted: (replica) => finish(replica),
      onApplied: (_applied, replica) => finish(replica),
      onFault: (reason, cause) => this.#halt(reason, cause),
    });
    this.#follower = follower;

    function finish(replica: Replica): void {
      if (replica.sequence !== last) return;
      follower.stop();
      done(replica);
    }
  }

  #leaderEnded(end: LeaderEnd): void {
    if (end.kind !== 'left') {
      this.#end({ kind: end.kind === 'fenced' ? 'fenced' : 'halted', reason: end.reason });
      return;
    }
    const to = this.#nearestStandby();
    if (to === undefined) {
      this.#end({ kind: 'left', reason: 'it was asked to stop, and no standby was there' });
      return;
    }
    const { bus, instance } = this.#options;
    const epoch = this.#leader?.epoch ?? 0;
    const word: HandOver = { from: instance, to, epoch, sequence: end.sequence };
    bus.publish(this.#subjects.handOver, encodeBeat(word));
    this.#end({ kind: 'left', reason: `${to} goes on from frame ${end.sequence}` });
  }

  #nearestStandby(): string | undefined {
    const sinceMs = this.#options.clock.elapsedMs() - STANDBY_BEATS * this.#settings.heartbeatMs;
    return [...this.#standbys].find(([, heardMs]) => heardMs >= sinceMs)?.[0];
  }
}

function completeUpTo({ isComplete, sequence }: EventsEnd): number {
  return isComplete ? sequence : sequence - 1;
}
