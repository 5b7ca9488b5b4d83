// Machine that runs a sequencer and restarts it whenever it stops, from the logs and snapshots
// alone. A sequencer that halts has found a bug, which is a violation.

import { encodeHeartbeat, linkSubjects } from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import type { Timer } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import type {
  Sequencer,
  SequencerEnd,
  SequencerSettings,
  SequencerWatcher,
} from '../../services/sequencer/index.ts';
import { EXCHANGE, type Machine } from './machine.ts';
import { PRESENT, type Release } from './releases.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A leader that takes longer for a frame is considered hung. */
export const FRAME_MS_MAX = 1_500;

/** Moments at which a fault can be timed to strike. */
export type Moment =
  | 'frame_made'
  | 'frame_stored'
  | 'frame_acknowledged'
  | 'events_stored'
  | 'takeover_started'
  | 'leader_elected'
  | 'state_restored'
  | 'snapshot_verified';

export interface SequencerHostOptions {
  readonly label: string;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly settings: SequencerSettings;
  /** Delay before a stopped process is restarted. */
  readonly restartMs: () => number;
  /** Time that a leader takes to apply a frame. */
  readonly frameMs: (sequence: number, bytes: number) => number;
  /** The log has stored this frame from the machine, possibly before any process learns of it. */
  readonly onStored: (sequence: number, host: SequencerHost) => void;
  readonly onMoment: (moment: Moment, host: SequencerHost) => void;
  readonly onElected: (epoch: number, host: SequencerHost) => void;
  readonly onPoison: () => void;
  readonly onEnd: (end: SequencerEnd, host: SequencerHost) => void;
  readonly trace: (line: () => string) => void;
}

export class SequencerHost {
  readonly machine: Machine;
  /** Release of the next process to start. */
  release: Release = PRESENT;
  readonly #options: SequencerHostOptions;
  #sequencer: Sequencer | undefined;
  #restart: Timer | undefined;
  #isDestroyed = false;
  #removeBug: () => void = () => {};

  constructor(options: SequencerHostOptions) {
    this.#options = options;
    this.machine = options.machine;
    const { commandsPath, eventsPath } = this.machine;
    commandsPath.onStored = (sequence) => {
      options.trace(() => `the log stores frame ${sequence} of ${this.name}`);
      options.onStored(sequence, this);
      options.onMoment('frame_stored', this);
    };
    eventsPath.onStored = () => options.onMoment('events_stored', this);
  }

  get name(): string {
    return this.machine.name;
  }

  /** Names the current process, in addition to the machine. */
  get incarnation(): string {
    return `${this.name}/${this.machine.boots}`;
  }

  get sequencer(): Sequencer | undefined {
    return this.#sequencer;
  }

  get replica(): Replica | undefined {
    return this.#sequencer?.replica;
  }

  get isLeading(): boolean {
    return this.#sequencer?.leader !== undefined;
  }

  get isServing(): boolean {
    return this.#sequencer?.leader?.isServing ?? false;
  }

  start(): void {
    this.#restart?.cancel();
    const { settings, trace } = this.#options;
    const { HeartbeatRepeater, Sequencer } = this.release;
    const { thread, ...connections } = this.machine.boot();
    trace(() => `${this.incarnation} starts`);
    this.#sequencer = new Sequencer({
      ...connections,
      heartbeats: new HeartbeatRepeater({
        clock: thread.clock,
        heartbeatMs: settings.heartbeatMs,
        frameMsMax: FRAME_MS_MAX,
        publish: (heartbeat) =>
          thread.bus.publish(linkSubjects(EXCHANGE).leader, encodeHeartbeat(heartbeat)),
      }),
      exchange: EXCHANGE,
      instance: this.#options.label,
      // Unique for every start of every host.
      writer: this.machine.boots * 256 + this.name.charCodeAt(0),
      authority: commandAuthority('development'),
      settings,
      watcher: this.#watcher(),
      onEnd: (end) => this.#ended(end),
    });
  }

  /** Crashes the process; a new one starts after `awayMs`, or soon. */
  crash(awayMs?: number): void {
    if (!this.machine.isUp) return;
    this.#options.trace(() => `${this.incarnation} crashes`);
    this.#down(awayMs);
  }

  /** Removes the machine permanently. */
  destroy(): void {
    this.#isDestroyed = true;
    this.crash();
    this.#restart?.cancel();
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Sends SIGTERM. */
  shutDown(): void {
    if (this.machine.isPaused) return;
    this.#options.trace(() => `${this.incarnation} receives SIGTERM`);
    this.#sequencer?.shutDown();
  }

  /** Makes this process's engine fail at its next fill. */
  poison(): void {
    const exchange = this.replica?.exchange;
    if (exchange === undefined) return;
    this.cure();
    this.#options.trace(() => `${this.incarnation} will fail at its next fill`);
    const { matchListener } = exchange;
    exchange.matchListener = {
      ...matchListener,
      fill: () => {
        throw new Error('injected bug');
      },
    };
    this.#removeBug = () => {
      exchange.matchListener = matchListener;
    };
  }

  /** Removes an injected bug that has not occurred yet. */
  cure(): void {
    this.#removeBug();
  }

  #ended(end: SequencerEnd): void {
    this.#options.trace(() => `${this.incarnation} ends: ${end.kind}, ${end.reason}`);
    this.#options.onEnd(end, this);
    if (!this.#isDestroyed) this.#down();
  }

  #down(awayMs?: number): void {
    const { restartMs, time } = this.#options;
    this.machine.kill();
    this.#sequencer = undefined;
    this.#restart?.cancel();
    this.#restart = time.after(awayMs ?? restartMs(), () => this.start());
  }

  #watcher(): SequencerWatcher {
    const { onElected, onMoment, onPoison, trace } = this.#options;
    const name = this.incarnation;
    return {
      stateRestored: (sequence) => {
        trace(() => `${name} is at frame ${sequence}`);
        onMoment('state_restored', this);
      },
      takeoverStarted: (reason) => {
        trace(() => `${name} starts a takeover: ${reason}`);
        onMoment('takeover_started', this);
      },
      stoodStill: (reason) => trace(() => `${name} is stalled: ${reason}`),
      leadershipYielded: (reason) => trace(() => `${name} yields: ${reason}`),
      leaderElected: (epoch, sequence) => {
        trace(() => `${name} leads epoch ${epoch} from frame ${sequence}`);
        onElected(epoch, this);
        onMoment('leader_elected', this);
      },
      clockJumped: (byMs) => trace(() => `the clock of ${name} was set by ${byMs} ms`),
      frameMade: (commands, bytes) => {
        this.machine.spend(this.#options.frameMs(this.replica?.sequence ?? 0, bytes));
        trace(() => `${name} creates a frame of ${commands} commands`);
        onMoment('frame_made', this);
      },
      frameStored: (sequence) => {
        trace(() => `${name} receives the acknowledgment of frame ${sequence}`);
        onMoment('frame_acknowledged', this);
      },
      commandForbidden: () => {},
      batchRefused: (reason) => trace(() => `${name} rejects a batch: ${reason}`),
      commandPoisoned: (fault) => {
        trace(() => `${name} found a poison command: ${fault.message}`);
        onPoison();
      },
      readerStalled: () => {},
      digestMatched: (sequence) => trace(() => `${name} matches the leader up to ${sequence}`),
      stateMatched: (sequence) => trace(() => `${name} has the leader's state at ${sequence}`),
    };
  }
}
