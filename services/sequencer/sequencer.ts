// One sequencer: follows the log, and leads when no other sequencer does. Heartbeats only decide
// when to try; the log decides which sequencer leads. In doubt it must end instead of continuing,
// and its supervisor restarts it.

import type { Subscription } from '../../infra/bus/index.ts';
import {
  decodeHandOver,
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  encodeHeartbeat,
  type HandOver,
  type LeaderHeartbeat,
  type LinkSubjects,
  linkSubjects,
  type Poison,
  type StandbyHeartbeat,
} from '../../infra/command-link/index.ts';
import { type EventsEnd, findEventsEnd } from '../../infra/journal/index.ts';
import type { Timer } from '../../infra/process/index.ts';
import { FollowingReplica, type Replica } from '../../infra/replica/index.ts';
import { CLOCK_DIFFERENCE_MS_MAX, ClockComparison, heardLog } from './clock-comparison.ts';
import { EventTail } from './event-tail.ts';
import type { HeartbeatSender } from './heartbeat-repeater.ts';
import { Leader } from './leader.ts';
import { LeaderComparison } from './leader-comparison.ts';
import type { LeaderEnd } from './leader-options.ts';
import { LogProbe } from './log-probe.ts';
import type {
  SequencerEnd,
  SequencerOptions,
  SequencerSettings,
  SequencerState,
} from './sequencer-options.ts';
import { Standbys } from './standbys.ts';

/** A clock counts for this many heartbeats, which is longer than a takeover takes to begin. */
const CLOCK_HEARTBEATS = 15;
/**
 * A leader buffers about `eventBytesMax` of events at most; a tail larger by this factor covers
 * them.
 */
const TAIL_FACTOR = 4;
/** A longer gap between two ticks means that this process paused, not that the leader is down. */
const OWN_PAUSE_HEARTBEATS = 5;
/** After this long without a leader, and periodically after that, it reports why it cannot lead. */
const STOOD_STILL_MS = 5_000;
const STOOD_STILL_AGAIN_MS = 60_000;
/** A standby queries the log about once per second, for its health. */
const TICKS_PER_PROBE = 10;
const NO_POISON: Poison = { steps: [], commands: [] };

export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #settings: SequencerSettings;
  readonly #subjects: LinkSubjects;
  readonly #subscriptions: Subscription[] = [];
  readonly #comparison: LeaderComparison;
  readonly #standbys: Standbys;
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
  /** When the log last responded to the leader, as far as this standby knows. */
  #leaderProvenMs = 0;
  /** True if the log did not respond to this standby's last request for its end. */
  #isLogSilent = false;
  /** True if it let a leader continue after the log was down, and has had no heartbeat since. */
  #hasWaited = false;
  /** Handover that started the takeover. */
  #handOver: HandOver | undefined;
  #isShuttingDown = false;
  /** Why it cannot lead although no sequencer does; undefined while another one leads. */
  #obstacle: { readonly sinceMs: number; reportedMs: number; reason: string } | undefined;
  /** True if its clock is wrong and it has left the takeover to other standbys once. */
  #hasDeclined = false;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#subjects = linkSubjects(options.exchange);
    this.#clocks = new ClockComparison(options.clock);
    this.#comparison = new LeaderComparison(options.settings.stateHashes, options.watcher);
    const { bus, clock, commands } = options;
    this.#standbys = new Standbys(clock, options.settings.heartbeatMs);
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

  /** How far this machine's clock is ahead of the agreed time of all clocks. */
  get clockAheadMs(): number {
    if (this.#leader !== undefined) return this.#leader.time.machineAheadMs();
    return this.#clocks.aheadMs(this.replica?.exchange.timeMs ?? 0);
  }

  get replica(): Replica | undefined {
    return this.#follower?.replica;
  }

  /** Age of the log's oldest unanswered request; 0 without one. */
  get unacknowledgedMs(): number {
    return this.#leader?.unacknowledgedMs ?? this.#probe.unansweredMs;
  }

  /** True if there is a standby to hand over to. */
  get hasStandby(): boolean {
    return this.#standbys.find() !== undefined;
  }

  /** Hands over if it leads and there is a standby, then ends. */
  shutDown(): void {
    this.#isShuttingDown = true;
    if (this.#leader === undefined) this.#end({ kind: 'stopped', reason: 'shutdown requested' });
    else this.#leader.yieldLeadership();
  }

  /** Stops immediately, as if the process were killed. */
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
        this.#isKept('EVENTS does not respond');
        this.#options.clock.after(this.#settings.retryMs, () => {
          if (this.#state === 'starting') this.#start();
        });
        return;
      }
      const after = completeUpTo(end);
      const bytesMax = TAIL_FACTOR * this.#settings.eventBytesMax;
      this.#tail = new EventTail({ after, bytesMax });
      this.#isKept('no snapshot could be read');
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
    const { clock, commands, exchangeId, snapshots, watcher } = this.#options;
    const { retryMs, watchMs } = this.#settings;
    const tail = this.#tail;
    this.#follower = new FollowingReplica({
      commands,
      exchangeId,
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
        this.#haltIfDifferent(this.#comparison.applied(replica));
      },
      onStalled: (reason) => watcher.readerStalled(reason),
      onFault: (reason, cause) => this.#halt(reason, cause),
    });
  }

  /**
   * Called for a sign of life from the leader, to which the log last responded `unacknowledgedMs`
   * ago.
   */
  #markLeaderSeen(unacknowledgedMs = 0): void {
    const nowMs = this.#options.clock.elapsedMs();
    this.#leaderHeardMs = nowMs;
    this.#leaderProvenMs = Math.max(this.#leaderProvenMs, nowMs - unacknowledgedMs);
    this.#hasWaited = false;
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
    this.#reportObstacle(nowMs);
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

  /**
   * Called when it cannot lead now. Counts the time since the first reason, even if the reason
   * changes.
   */
  #isKept(reason: string): void {
    const nowMs = this.#options.clock.elapsedMs();
    this.#obstacle ??= { sinceMs: nowMs, reportedMs: Number.NEGATIVE_INFINITY, reason };
    this.#obstacle.reason = reason;
  }

  #reportObstacle(nowMs: number): void {
    const obstacle = this.#obstacle;
    if (obstacle === undefined || nowMs - obstacle.sinceMs < STOOD_STILL_MS) return;
    if (nowMs - obstacle.reportedMs < STOOD_STILL_AGAIN_MS) return;
    obstacle.reportedMs = nowMs;
    this.#options.watcher.stoodStill(obstacle.reason);
  }

  /** Varies by process, so standbys do not all try at the same moment. */
  #takeoverDelayMs(): number {
    return this.#settings.takeoverAfterMs * (1 + (this.#options.writer % 16) / 64);
  }

  #onLeaderHeartbeat(message: Uint8Array): void {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat?.writer === this.#options.writer) this.#leader?.onOwnHeartbeat();
    if (heartbeat === undefined || heartbeat.writer === this.#options.writer) return;
    this.#heardClock(heartbeat);
    if (this.#leader !== undefined) {
      this.#onRival(this.#leader, heartbeat);
      return;
    }
    const replica = this.#follower?.replica;
    if (heartbeat.epoch < (replica?.epoch ?? 0)) return;
    this.#markLeaderSeen(heartbeat.unacknowledgedMs);
    this.#tail?.discardStored(heartbeat.eventsSequence);
    this.#haltIfDifferent(this.#comparison.heard(heartbeat, replica));
    const progresses = heartbeat.unacknowledgedMs < this.#takeoverDelayMs();
    if (progresses) this.#obstacle = undefined;
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
    this.#standbys.heard(heartbeat);
  }

  /**
   * One clock per label, because late messages from earlier processes on a machine are from one
   * clock.
   */
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
  #haltIfDifferent(difference: string | undefined): void {
    if (difference !== undefined) this.#halt(difference);
  }

  #takeOver(reason: string): void {
    this.#options.watcher.takeoverStarted(reason);
    this.#state = 'taking-over';
    this.#isLogSilent = false;
    this.#findEnds();
  }

  #findEnds(): void {
    const { clock, commands } = this.#options;
    const askedMs = clock.elapsedMs();
    commands.extent((extent) => {
      if (this.#state !== 'taking-over') return;
      if (extent !== undefined) heardLog(this.#clocks, extent);
      // A request stuck in a socket until the log returns gets a response, but a late one.
      const isLate = clock.elapsedMs() - askedMs > this.#settings.takeoverAfterMs / 2;
      this.#isLogSilent ||= extent === undefined || isLate;
      if (extent !== undefined && this.#waitAfterSilence()) return;
      const sequence = this.#follower?.replica?.sequence ?? 0;
      if (extent?.last !== sequence) {
        this.#isKept(
          extent === undefined
            ? 'COMMANDS does not respond'
            : `COMMANDS ends at ${extent.last}, and this sequencer has applied frame ${sequence}`,
        );
        this.#findEndsLater();
        return;
      }
      this.#askEventsEnd((end) => {
        if (this.#state !== 'taking-over') return;
        const isCaughtUp = this.#follower?.replica?.sequence === sequence;
        // EVENTS has events from an unknown frame, so the response about COMMANDS was stale.
        if (end === undefined || !isCaughtUp || end.sequence > sequence) {
          this.#isKept(
            end === undefined
              ? 'EVENTS does not respond'
              : `EVENTS ends with frame ${end.sequence}, and COMMANDS with frame ${sequence}`,
          );
          this.#findEndsLater();
        } else if (!this.#declines()) this.#lead(end, extent.idleMs);
      });
    });
  }

  /**
   * A standby that cannot reach the log cannot observe the leader's progress. When the log responds
   * again, the leader gets time to continue, so a log outage does not change the leader. This
   * happens only once: a log that is always slow must not keep the exchange without a leader.
   */
  #waitAfterSilence(): boolean {
    if (!this.#isLogSilent || this.#hasWaited) return false;
    const { clock, watcher } = this.#options;
    const delayMs = this.#takeoverDelayMs();
    const nowMs = clock.elapsedMs();
    this.#leaderHeardMs = nowMs;
    this.#leaderProvenMs = nowMs + this.#settings.logRecoveryMs - delayMs;
    this.#hasWaited = true;
    watcher.leadershipYielded('the log responds again');
    this.#state = 'following';
    return true;
  }

  #findEndsLater(): void {
    this.#options.clock.after(this.#settings.retryMs, () => {
      if (this.#state === 'taking-over') this.#findEnds();
    });
  }

  /**
   * With a wrong clock it lets other standbys lead first. If none does, it leads: its frame time
   * starts at the agreed time of the other clocks, not at its own.
   */
  #declines(): boolean {
    const aheadMs = this.clockAheadMs;
    if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MS_MAX || this.#hasDeclined) return false;
    const seconds = Math.round(aheadMs / 1_000);
    this.#markLeaderSeen();
    this.#hasDeclined = true;
    this.#state = 'following';
    this.#options.watcher.leadershipYielded(`this machine's clock is ${seconds} s ahead`);
    return true;
  }

  #lead(eventsEnd: EventsEnd, idleMs: number | undefined): void {
    const replica = this.#follower?.replica;
    const eventsLacking = this.#tail?.after(eventsEnd);
    if (replica === undefined || eventsLacking === undefined || eventsLacking === 'forgotten') {
      this.#isKept(`EVENTS ends with frame ${eventsEnd.sequence}, which is no longer in memory`);
      this.#start();
      return;
    }
    if (eventsLacking === 'different') {
      this.#halt(`the EVENTS log has different events for frame ${eventsEnd.sequence}`);
      return;
    }
    this.#follower?.stop();
    this.#obstacle = undefined;
    this.#state = 'leading';
    this.#leader = new Leader({
      ...this.#options,
      ...this.#settings,
      heartbeats: this.#options.heartbeats ?? this.#heartbeatsOverBus(),
      subjects: this.#subjects,
      clocks: this.#clocks,
      replica,
      idleMs,
      eventsEnd,
      eventsLacking,
      poison: this.#poisonAfter(replica),
      findSuccessor: (sequence) => this.#standbys.findSuccessor(sequence),
      rebuild: (sequence, done) => this.#rebuild(sequence, done),
      onEnd: (end) => this.#leaderEnded(end),
    });
    if (this.#isShuttingDown) this.#leader.yieldLeadership();
  }

  /** A handover counts only if no other leader came in between. */
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
    const standby = this.#standbys.find();
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
}

function completeUpTo({ isComplete, sequence }: EventsEnd): number {
  return isComplete ? sequence : sequence - 1;
}
