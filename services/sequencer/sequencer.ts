// One sequencer: it follows the log, and leads when no other sequencer does. Heartbeats only decide
// when to try; the log decides who leads. In doubt it ends instead of continuing, and its
// supervisor restarts it.

import type { Limits } from '../../core/messages/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import {
  decodeHandOver,
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  encodeHeartbeat,
  type HandOver,
  type LeaderHeartbeat,
  type LinkAddress,
  type LinkSubjects,
  linkSubjects,
  type Poison,
  type StandbyHeartbeat,
} from '../../infra/command-link/index.ts';
import type { CommandAuthority } from '../../infra/identities/index.ts';
import {
  type EventsEnd,
  type Extent,
  findEventsEnd,
  type LogStream,
  type SnapshotStore,
} from '../../infra/journal/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { FollowingReplica, type Replica } from '../../infra/replica/index.ts';
import { CLOCK_DIFFERENCE_MS_MAX, ClockComparison, heardLog } from './clock-comparison.ts';
import { EventTail } from './event-tail.ts';
import type { HeartbeatSender } from './heartbeat-repeater.ts';
import { INTAKE_DEFAULTS, type IntakeLimits } from './intake.ts';
import { Leader, type LeaderEnd } from './leader.ts';
import { LogProbe } from './log-probe.ts';
import { StateHashes, type StateHashSettings } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface SequencerOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly bus: Bus;
  /** Sends the heartbeats of this process while it leads; by default over the bus. */
  readonly heartbeats?: HeartbeatSender;
  readonly clock: Clock;
  readonly exchange: string;
  /** A label for people; two sequencers may have the same. */
  readonly instance: string;
  /** Where gateways can connect to it directly while it leads. */
  readonly linkAddress?: LinkAddress | undefined;
  /**
   * The identity of this process, random: two sequencers that claim an epoch at the same time must
   * not write the same bytes, and none may take another's heartbeats for its own.
   */
  readonly writer: number;
  /** The limits to set when the log is still empty. */
  readonly genesis: Limits;
  /** The rules of a new log; the first ones if absent. */
  readonly genesisRules?: number | undefined;
  readonly settings: SequencerSettings;
  /** Which identity may send which command. */
  readonly authority: CommandAuthority;
  readonly watcher: SequencerWatcher;
  onEnd(end: SequencerEnd): void;
}

export interface SequencerSettings {
  readonly heartbeatMs: number;
  /**
   * A standby takes over after this long without a heartbeat or a frame, or when the leader's
   * heartbeats say that the log has not acknowledged anything for this long.
   */
  readonly takeoverAfterMs: number;
  /**
   * When the log answers this standby again, a leader that sends heartbeats has this long to
   * continue. Longer than a writer waits for the answers of two requests.
   */
  readonly logRecoveryMs: number;
  readonly retryMs: number;
  readonly watchMs: number;
  readonly frameCommandsWanted: number;
  readonly frameVisitsMax: number;
  readonly eventBytesMax: number;
  readonly stateHashes: StateHashSettings;
  readonly intake: IntakeLimits;
}

export const SEQUENCER_DEFAULTS: SequencerSettings = {
  heartbeatMs: 100,
  takeoverAfterMs: 800,
  logRecoveryMs: 3_500,
  retryMs: 50,
  watchMs: 500,
  frameCommandsWanted: 256,
  // About four sweeps of 1,000 orders, and twice a full frame of usual orders.
  frameVisitsMax: 8_192,
  eventBytesMax: 64 * 1024 * 1024,
  stateHashes: { everyFrames: 64, runFrames: 1_024 },
  intake: INTAKE_DEFAULTS,
};

/**
 * stopped: shut down on request, with a hand-over if there was a standby. fenced: another sequencer
 * leads, or takes over from this one, whose state poison left inconsistent. halted: its state or
 * the log is inconsistent; an operator must investigate first.
 */
export interface SequencerEnd {
  readonly kind: 'stopped' | 'fenced' | 'halted';
  readonly reason: string;
}

/**
 * starting:    waits for the log, a snapshot, and the frames since.
 * following:   applies frames as they arrive, and watches for heartbeats of a leader.
 * taking-over: asks both logs for their ends, and waits until it has applied everything.
 * leading:     see Leader.
 * ended.
 */
export type SequencerState = 'starting' | 'following' | 'taking-over' | 'leading' | 'ended';

/** A standby that was silent for this many heartbeats is not considered for a hand-over. */
const STANDBY_HEARTBEATS = 10;
/** A clock counts for this many heartbeats: longer than a takeover takes to begin. */
const CLOCK_HEARTBEATS = 15;
/**
 * A leader buffers at most about `eventBytesMax` of events; a tail this much larger covers them.
 */
const TAIL_FACTOR = 4;
/** A longer gap between two ticks was a pause of this process and says nothing about the leader. */
const OWN_PAUSE_HEARTBEATS = 5;
/** A standby asks the log about once a second, for its health. */
const TICKS_PER_PROBE = 10;
/** A standby applies so many frames in a moment; its last heartbeat was before the last frames. */
const SUCCESSOR_LAG_MAX = 256;

const NO_POISON: Poison = { steps: [], commands: [] };

interface Standby extends StandbyHeartbeat {
  readonly seenMs: number;
}

export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #settings: SequencerSettings;
  readonly #subjects: LinkSubjects;
  readonly #subscriptions: Subscription[] = [];
  readonly #stateHashes: StateHashes;
  /** By the number of their process. */
  readonly #standbys = new Map<number, Standby>();
  readonly #probe: LogProbe;
  readonly #clocks: ClockComparison;
  #state: SequencerState = 'starting';
  #follower: FollowingReplica | undefined;
  #tail: EventTail | undefined;
  #leader: Leader | undefined;
  #tickTimer: Timer | undefined;
  #lastTickMs = 0;
  #ticks = 0;
  /** When a heartbeat or a frame last arrived. */
  #leaderHeardMs = 0;
  /** When the log last answered the leader, as far as this standby knows. */
  #leaderProvenMs = 0;
  /** The log did not answer when this standby last asked for its end. */
  #isLogSilent = false;
  #lastHeartbeat: LeaderHeartbeat | undefined;
  #matchedSequence = 0;
  /** From the hand-over that started the takeover. */
  #handOver: HandOver | undefined;
  #matchedStateSequence = 0;
  #isShuttingDown = false;
  /** Its clock is wrong, and it has left the takeover to other standbys once. */
  #hasDeclined = false;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#subjects = linkSubjects(options.exchange);
    this.#clocks = new ClockComparison(options.clock);
    this.#stateHashes = new StateHashes(options.settings.stateHashes);
    const { bus, clock, commands } = options;
    this.#probe = new LogProbe(commands, clock);
    this.#subscriptions.push(
      bus.subscribe(this.#subjects.leader, (message) => this.#onLeaderHeartbeat(message)),
      bus.subscribe(this.#subjects.standby, (message) => this.#onStandbyHeartbeat(message)),
      bus.subscribe(this.#subjects.handOver, (message) => this.#onHandOver(message)),
    );
    this.#markLeaderSeen();
    this.#tick();
    this.#start();
  }

  get state(): SequencerState {
    return this.#state;
  }

  get leader(): Leader | undefined {
    return this.#leader;
  }

  /** By how much the clock of this machine is ahead of the agreed time of all clocks. */
  get clockAheadMs(): number {
    if (this.#leader !== undefined) return this.#leader.time.machineAheadMs();
    return this.#clocks.aheadMs(this.replica?.exchange.timeMs ?? 0);
  }

  get replica(): Replica | undefined {
    return this.#follower?.replica;
  }

  /** Age of the oldest request that the log has not answered; 0 without one. */
  get unacknowledgedMs(): number {
    return this.#leader?.unacknowledgedMs ?? this.#probe.unansweredMs;
  }

  /** True if there is a standby to hand over to. */
  get hasStandby(): boolean {
    return this.#findStandby() !== undefined;
  }

  /** Hands over if it leads and there is a standby; then ends. */
  shutDown(): void {
    this.#isShuttingDown = true;
    if (this.#leader === undefined) this.#end({ kind: 'stopped', reason: 'shutdown requested' });
    else this.#leader.yieldLeadership();
  }

  /** Stops at once, as if the process were killed. */
  stop(): void {
    this.#state = 'ended';
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#follower?.stop();
    this.#leader?.stop();
    this.#tickTimer?.cancel();
  }

  #end(end: SequencerEnd): void {
    if (this.#state === 'ended') return;
    this.stop();
    this.#options.onEnd(end);
  }

  #halt(reason: string, cause?: unknown): void {
    this.#end({ kind: 'halted', reason: cause === undefined ? reason : `${reason}: ${cause}` });
  }

  /** Starts from the last snapshot whose events are all stored, and recomputes later events. */
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
        watcher.stateRestored(sequence);
        this.#markLeaderSeen();
        this.#state = 'following';
      },
      onApplied: ({ encoded }, replica) => {
        this.#markLeaderSeen();
        if (replica.sequence > atMost) tail?.push(encoded.parts);
        this.#stateHashes.after(replica);
        this.#compare(replica);
      },
      onStalled: (reason) => watcher.readerStalled(reason),
      onFault: (reason, cause) => this.#halt(reason, cause),
    });
  }

  /** The leader was heard just now, and the log has answered it up to `unacknowledgedMs` ago. */
  #markLeaderSeen(unacknowledgedMs = 0): void {
    const nowMs = this.#options.clock.elapsedMs();
    this.#leaderHeardMs = nowMs;
    this.#leaderProvenMs = Math.max(this.#leaderProvenMs, nowMs - unacknowledgedMs);
    if (unacknowledgedMs < this.#settings.takeoverAfterMs) this.#hasDeclined = false;
  }

  /** Sends a standby heartbeat, and starts a takeover if the leader has made no progress. */
  #tick(): void {
    const { bus, clock, instance, watcher, writer } = this.#options;
    const { heartbeatMs } = this.#settings;
    const nowMs = clock.elapsedMs();
    if (nowMs - this.#lastTickMs > OWN_PAUSE_HEARTBEATS * heartbeatMs) this.#markLeaderSeen();
    this.#lastTickMs = nowMs;
    const jumpMs = this.#clocks.takeJumpMs();
    if (jumpMs !== 0) watcher.clockJumped(jumpMs);
    if (this.#leader === undefined && this.#ticks++ % TICKS_PER_PROBE === 0) {
      this.#probe.ask((extent) => heardLog(this.#clocks, extent));
    }
    if (this.#state === 'following') {
      const sequence = this.#follower?.replica?.sequence ?? 0;
      const standby = { instance, writer, sequence, clockMs: clock.nowMs() };
      bus.publish(this.#subjects.standby, encodeHeartbeat(standby));
      const delayMs = this.#takeoverDelayMs();
      if (nowMs - this.#leaderHeardMs > delayMs) this.#takeOver('no leader heartbeat');
      else if (nowMs - this.#leaderProvenMs > delayMs) this.#takeOver('leader makes no progress');
    }
    this.#tickTimer = clock.after(heartbeatMs, () => this.#tick());
  }

  /** Varies by process, so that standbys do not all try at the same moment. */
  #takeoverDelayMs(): number {
    return this.#settings.takeoverAfterMs * (1 + (this.#options.writer % 16) / 64);
  }

  #onLeaderHeartbeat(message: Uint8Array): void {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat?.writer === this.#options.writer) this.#leader?.hearItself();
    if (heartbeat === undefined || heartbeat.writer === this.#options.writer) return;
    this.#heardClock(heartbeat);
    if (this.#leader !== undefined) {
      this.#onRival(this.#leader, heartbeat);
      return;
    }
    const replica = this.#follower?.replica;
    if (heartbeat.epoch < (replica?.epoch ?? 0)) return;
    this.#markLeaderSeen(heartbeat.unacknowledgedMs);
    this.#lastHeartbeat = heartbeat;
    this.#tail?.discardStored(heartbeat.eventsSequence);
    if (replica !== undefined) this.#compare(replica);
    const progresses = heartbeat.unacknowledgedMs < this.#takeoverDelayMs();
    if (this.#state === 'taking-over' && progresses) {
      this.#options.watcher.leadershipYielded(`${heartbeat.instance} leads`);
      this.#state = 'following';
    }
  }

  /**
   * A leader with a later epoch has its first frame in the log, which would reject our next one.
   */
  #onRival(leader: Leader, { epoch, instance }: LeaderHeartbeat): void {
    if (epoch <= leader.epoch) return;
    this.#end({ kind: 'fenced', reason: `${instance} leads epoch ${epoch}` });
  }

  #onStandbyHeartbeat(message: Uint8Array): void {
    const heartbeat = decodeStandbyHeartbeat(message);
    if (heartbeat === undefined || heartbeat.writer === this.#options.writer) return;
    this.#heardClock(heartbeat);
    const { instance, sequence, writer } = heartbeat;
    const seenMs = this.#options.clock.elapsedMs();
    this.#standbys.set(writer, { instance, writer, sequence, seenMs });
  }

  /** Once for each label: late messages of former processes of one machine are one clock. */
  #heardClock({ clockMs, instance }: LeaderHeartbeat | StandbyHeartbeat): void {
    if (instance === this.#options.instance) return;
    this.#clocks.heard(instance, clockMs, CLOCK_HEARTBEATS * this.#settings.heartbeatMs);
  }

  #onHandOver(message: Uint8Array): void {
    const handOver = decodeHandOver(message);
    if (handOver === undefined || this.#state !== 'following') return;
    const { instance, writer } = this.#options;
    const { to, toWriter } = handOver;
    const isNamed = toWriter === 0 ? to === instance : toWriter === writer;
    if (!isNamed) return;
    if (handOver.epoch < (this.#follower?.replica?.epoch ?? 0)) return;
    this.#handOver = handOver;
    this.#takeOver(`${handOver.from} hands over`);
  }

  /** A mismatch is a bug in this standby or in the leader. */
  #compare(replica: Replica): void {
    const heartbeat = this.#lastHeartbeat;
    if (heartbeat === undefined) return;
    for (const { digest, sequence } of heartbeat.outputDigests) {
      if (sequence <= this.#matchedSequence) continue;
      const own = replica.outputDigests.find((one) => one.sequence === sequence);
      if (own === undefined) continue;
      if (own.digest !== digest) {
        this.#halt(`the events of the frames up to ${sequence} differ from the leader's`);
        return;
      }
      this.#matchedSequence = sequence;
      this.#options.watcher.digestMatched(sequence);
    }
    const { stateHash, stateHashSequence: sequence } = heartbeat;
    const own = this.#stateHashes.at(sequence);
    if (own === undefined || sequence <= this.#matchedStateSequence) return;
    if (own.stateHash !== stateHash) {
      this.#halt(`the state at frame ${sequence} differs from the leader's`);
      return;
    }
    this.#matchedStateSequence = sequence;
    this.#options.watcher.stateMatched(sequence);
  }

  #takeOver(reason: string): void {
    this.#options.watcher.takeoverStarted(reason);
    this.#state = 'taking-over';
    this.#isLogSilent = false;
    this.#findEnds();
  }

  #findEnds(): void {
    this.#options.commands.extent((extent) => {
      if (this.#state !== 'taking-over') return;
      if (extent !== undefined) heardLog(this.#clocks, extent);
      if (this.#waitAfterSilence(extent)) return;
      const sequence = this.#follower?.replica?.sequence ?? 0;
      if (extent === undefined || extent.last > sequence) {
        this.#findEndsLater();
        return;
      }
      this.#askEventsEnd((end) => {
        if (this.#state !== 'taking-over') return;
        const isCaughtUp = this.#follower?.replica?.sequence === sequence;
        // EVENTS has events of an unknown frame: the answer about COMMANDS was stale.
        if (end === undefined || !isCaughtUp || end.sequence > sequence) this.#findEndsLater();
        else if (!this.#declines()) this.#lead(end);
      });
    });
  }

  /**
   * A standby that cannot reach the log knows nothing about the leader's progress. When the log
   * answers again, the leader has time to continue, so that an outage of the log changes no leader.
   */
  #waitAfterSilence(extent: Extent | undefined): boolean {
    if (extent !== undefined && !this.#isLogSilent) return false;
    this.#isLogSilent = extent === undefined;
    if (this.#isLogSilent) return false;
    const { clock, watcher } = this.#options;
    const delayMs = this.#takeoverDelayMs();
    const nowMs = clock.elapsedMs();
    this.#leaderHeardMs = nowMs - delayMs / 2;
    this.#leaderProvenMs = nowMs + this.#settings.logRecoveryMs - delayMs;
    watcher.leadershipYielded('the log answers again');
    this.#state = 'following';
    return true;
  }

  #findEndsLater(): void {
    this.#options.clock.after(this.#settings.retryMs, () => {
      if (this.#state === 'taking-over') this.#findEnds();
    });
  }

  /**
   * With a wrong clock it lets other standbys lead first. If none does, it leads: the time of its
   * frames starts at the agreed time of the other clocks, not at its own.
   */
  #declines(): boolean {
    const aheadMs = this.clockAheadMs;
    if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MS_MAX || this.#hasDeclined) return false;
    const seconds = Math.round(aheadMs / 1_000);
    this.#markLeaderSeen();
    this.#hasDeclined = true;
    this.#state = 'following';
    this.#options.watcher.leadershipYielded(`the clock of this machine is ${seconds} s ahead`);
    return true;
  }

  #lead(eventsEnd: EventsEnd): void {
    const replica = this.#follower?.replica;
    const eventsLacking = this.#tail?.after(eventsEnd);
    if (replica === undefined || eventsLacking === undefined || eventsLacking === 'forgotten') {
      this.#start();
      return;
    }
    if (eventsLacking === 'different') {
      this.#halt(`the EVENTS log has different events for frame ${eventsEnd.sequence}`);
      return;
    }
    this.#follower?.stop();
    this.#state = 'leading';
    this.#leader = new Leader({
      ...this.#options,
      ...this.#settings,
      heartbeats: this.#options.heartbeats ?? this.#heartbeatsOverBus(),
      subjects: this.#subjects,
      clocks: this.#clocks,
      replica,
      eventsEnd,
      eventsLacking,
      poison: this.#poisonAfter(replica),
      findSuccessor: (sequence) => this.#findSuccessor(sequence),
      rebuild: (sequence, done) => this.#rebuild(sequence, done),
      onEnd: (end) => this.#leaderEnded(end),
    });
    if (this.#isShuttingDown) this.#leader.yieldLeadership();
  }

  /** A hand-over counts only if no other leader came between. */
  #poisonAfter({ epoch, sequence }: Replica): Poison {
    const handOver = this.#handOver;
    if (handOver?.poison === undefined || handOver.epoch !== epoch) return NO_POISON;
    const { commands, steps } = handOver.poison;
    return { commands, steps: handOver.sequence === sequence ? steps : [] };
  }

  #heartbeatsOverBus(): HeartbeatSender {
    const { bus } = this.#options;
    const { leader } = this.#subjects;
    return {
      send: (heartbeat) => bus.publish(leader, encodeHeartbeat(heartbeat)),
      stop: () => {},
    };
  }

  /** Builds a new replica up to the end of the log, which only this leader extends. */
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
    if ('reason' in end) {
      this.#end({ kind: end.kind === 'fenced' ? 'fenced' : 'halted', reason: end.reason });
      return;
    }
    const standby = this.#findStandby();
    if (standby === undefined) {
      this.#end({ kind: 'stopped', reason: 'shutdown requested; no standby available' });
      return;
    }
    const { bus, instance } = this.#options;
    const epoch = this.#leader?.epoch ?? 0;
    const poison = end.kind === 'poisoned' ? end.poison : undefined;
    const { instance: to, writer: toWriter } = standby;
    const { sequence } = end;
    const handOver: HandOver = { from: instance, to, toWriter, epoch, sequence, poison };
    bus.publish(this.#subjects.handOver, encodeHeartbeat(handOver));
    const reason = `${to} continues from frame ${sequence}`;
    if (poison === undefined) this.#end({ kind: 'stopped', reason });
    else this.#end({ kind: 'fenced', reason: `the state is inconsistent after poison; ${reason}` });
  }

  #findSuccessor(sequence: number): 'ready' | 'lagging' | 'none' {
    const standby = this.#findStandby();
    if (standby === undefined) return 'none';
    return standby.sequence >= sequence - SUCCESSOR_LAG_MAX ? 'ready' : 'lagging';
  }

  /** The one that has applied most. */
  #findStandby(): Standby | undefined {
    const sinceMs =
      this.#options.clock.elapsedMs() - STANDBY_HEARTBEATS * this.#settings.heartbeatMs;
    let found: Standby | undefined;
    for (const standby of this.#standbys.values()) {
      if (standby.seenMs < sinceMs || standby.sequence < (found?.sequence ?? 0)) continue;
      found = standby;
    }
    return found;
  }
}

function completeUpTo({ isComplete, sequence }: EventsEnd): number {
  return isComplete ? sequence : sequence - 1;
}
