// A machine that runs a sequencer, and starts it again whenever it has ended, with nothing but the
// logs and the snapshots. A sequencer that halts has found a bug: that is a violation.

import type { Limits } from '../../core/messages/index.ts';
import type { Timer } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import {
  Sequencer,
  type SequencerEnd,
  type SequencerSettings,
  type SequencerWatcher,
} from '../../services/sequencer/index.ts';
import { EXCHANGE, type Machine } from './machine.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Moments at which a nemesis may lie in wait. */
export type Moment =
  | 'frame_made'
  | 'frame_kept'
  | 'frame_told'
  | 'events_kept'
  | 'takes_over'
  | 'leads'
  | 'started'
  | 'snapshot_counts';

export interface SequencerHostOptions {
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly genesis: Limits;
  readonly settings: SequencerSettings;
  /** How long until a process that has ended is started again. */
  readonly restartMs: () => number;
  /** The log has this frame of the machine's, though no process may know. */
  readonly onKept: (sequence: number, host: SequencerHost) => void;
  readonly onMoment: (moment: Moment, host: SequencerHost) => void;
  readonly onLeads: (epoch: number, host: SequencerHost) => void;
  readonly onPoison: () => void;
  readonly onEnd: (end: SequencerEnd, host: SequencerHost) => void;
  readonly trace: (line: () => string) => void;
}

export class SequencerHost {
  readonly machine: Machine;
  readonly #options: SequencerHostOptions;
  #sequencer: Sequencer | undefined;
  #restart: Timer | undefined;
  #isGone = false;
  #antidote: () => void = () => {};

  constructor(options: SequencerHostOptions) {
    this.#options = options;
    this.machine = options.machine;
    const { commandsPath, eventsPath } = this.machine;
    commandsPath.onStored = (sequence) => {
      options.trace(() => `the log has frame ${sequence} of ${this.name}`);
      options.onKept(sequence, this);
      options.onMoment('frame_kept', this);
    };
    eventsPath.onStored = () => options.onMoment('events_kept', this);
  }

  get name(): string {
    return this.machine.name;
  }

  /** A process on it, not only the machine. */
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
    const { genesis, settings, trace } = this.#options;
    const connections = this.machine.boot();
    trace(() => `${this.incarnation} starts`);
    this.#sequencer = new Sequencer({
      ...connections,
      exchange: EXCHANGE,
      instance: this.name,
      // Another for every start of every host.
      writer: this.machine.boots * 256 + this.name.charCodeAt(0),
      genesis,
      settings,
      watcher: this.#watcher(),
      onEnd: (end) => this.#ended(end),
    });
  }

  crash(): void {
    if (!this.machine.isUp) return;
    this.#options.trace(() => `${this.incarnation} crashes`);
    this.#down();
  }

  /** The machine is lost for good. */
  destroy(): void {
    this.crash();
    this.#isGone = true;
    this.#restart?.cancel();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** SIGTERM. */
  shutDown(): void {
    if (this.machine.isPaused) return;
    this.#options.trace(() => `${this.incarnation} is asked to leave`);
    this.#sequencer?.shutDown();
  }

  /** The engine of this process fails at the next fill, as it would on a bug. */
  poison(): void {
    const exchange = this.replica?.exchange;
    if (exchange === undefined) return;
    this.cure();
    this.#options.trace(() => `${this.incarnation} will fail at its next fill`);
    const { matchListener } = exchange;
    exchange.matchListener = {
      ...matchListener,
      fill: () => {
        throw new Error('a bug that the simulator made');
      },
    };
    this.#antidote = () => {
      exchange.matchListener = matchListener;
    };
  }

  /** A bug that has not been met yet is gone. */
  cure(): void {
    this.#antidote();
  }

  #ended(end: SequencerEnd): void {
    this.#options.trace(() => `${this.incarnation} ends: ${end.kind}, ${end.reason}`);
    this.#options.onEnd(end, this);
    this.#down();
  }

  #down(): void {
    const { restartMs, time } = this.#options;
    this.machine.kill();
    this.#sequencer = undefined;
    this.#restart?.cancel();
    this.#restart = time.after(restartMs(), () => this.start());
  }

  #watcher(): SequencerWatcher {
    const { onLeads, onMoment, onPoison, trace } = this.#options;
    const name = this.incarnation;
    return {
      stateRestored: (sequence) => {
        trace(() => `${name} is at frame ${sequence}`);
        onMoment('started', this);
      },
      takeoverStarted: (reason) => {
        trace(() => `${name} takes over: ${reason}`);
        onMoment('takes_over', this);
      },
      leadershipYielded: (reason) => trace(() => `${name} stands back: ${reason}`),
      leaderElected: (epoch, sequence) => {
        trace(() => `${name} leads epoch ${epoch} from frame ${sequence}`);
        onLeads(epoch, this);
        onMoment('leads', this);
      },
      frameMade: (commands) => {
        trace(() => `${name} makes a frame of ${commands}`);
        onMoment('frame_made', this);
      },
      frameStored: (sequence) => {
        trace(() => `${name} knows frame ${sequence} stored`);
        onMoment('frame_told', this);
      },
      batchRefused: (reason) => trace(() => `${name} refuses a batch: ${reason}`),
      commandPoisoned: (fault) => {
        trace(() => `${name} meets poison: ${fault.message}`);
        onPoison();
      },
      readerStalled: () => {},
      digestMatched: (sequence) => trace(() => `${name} agrees up to ${sequence}`),
    };
  }
}
