// A complete exchange in one process: logs, bus, snapshots, two or three sequencers, a follower
// that creates snapshots, gateways with traders, and an operator. One seed decides everything.

import { INITIAL_LIMITS } from '../../core/messages/index.ts';
import { hashFrame, sealFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import {
  genesisFrame,
  SEQUENCER_DEFAULTS,
  type SequencerEnd,
  type SequencerSettings,
} from '../../services/sequencer/index.ts';
import { Random } from '../flows/index.ts';
import { ClientHost } from './client-host.ts';
import { type Environment, Machine, type Work } from './machine.ts';
import { MemorySnapshots } from './memory-snapshots.ts';
import { drawPlan, type Plan } from './plan.ts';
import { PRESENT, type Release } from './releases.ts';
import { type Moment, SequencerHost } from './sequencer-host.ts';
import { type BusFaults, SimulatedBus } from './simulated-bus.ts';
import { SnapshotterHost } from './snapshotter-host.ts';
import { Trader } from './trading-commands.ts';
import { VirtualTime } from './virtual-time.ts';

const START_MS = 1_700_000_000_000;
const LOG_TIMEOUT_MS = 60;

/** Shorter than in production, so more happens in less virtual time. */
const SETTINGS: Omit<SequencerSettings, 'eventBytesMax' | 'intake'> = {
  heartbeatMs: 40,
  takeoverAfterMs: 200,
  logRecoveryMs: 400,
  retryMs: 15,
  watchMs: 60,
  frameGapMs: 2,
  eventGapMs: 7,
  frameCommandsWanted: 8,
  frameVisitsMax: 4,
  stateHashes: { everyFrames: 16, runFrames: 64 },
};

/** Limits before the first frame, and those that the frame sets. */
export const GENESIS_BEFORE = INITIAL_LIMITS;
export const GENESIS = { ...INITIAL_LIMITS, ordersPerUserMax: 400 };

export class World {
  readonly seed: number;
  /** Random numbers for the plan of the schedule. */
  readonly random: Random;
  readonly time: VirtualTime;
  readonly commands: MemoryLog;
  readonly events: MemoryLog;
  readonly bus: SimulatedBus;
  readonly busFaults: BusFaults;
  readonly links: SimulatedBus;
  readonly snapshots: MemorySnapshots;
  readonly sequencers: readonly SequencerHost[];
  readonly snapshotter: SnapshotterHost;
  readonly clients: readonly ClientHost[];
  readonly operator: ClientHost;
  /** Sends commands continuously during trials. */
  readonly prober: ClientHost;
  readonly plan: Plan;
  /** Injected faults, by kind. */
  readonly counts = new Map<string, number>();
  /** Violations of the invariants. */
  readonly violations: string[] = [];
  /** Processes that reported to lead an epoch, by epoch. */
  readonly leaders = new Map<number, Set<string>>();
  /** Machine whose append was stored, by frame. */
  readonly writers = new Map<number, string>();
  /** Time at which the log stored a frame, by frame. */
  readonly storedMs = new Map<number, number>();
  /** Time that the next frame takes at every replica. */
  nextFrameMs = 0;
  readonly #slowFrames = new Map<number, number>();
  /** Longest time without an answer, by trial. */
  readonly longestGaps = new Map<string, number>();
  readonly trace: string[] | undefined;
  /** Release that can replay the entire log. */
  release: Release = PRESENT;
  /** A sequencer that halts has found a bug, unless the schedule expects it. */
  mayHalt: (end: SequencerEnd, host: SequencerHost) => boolean = () => false;
  mayLead: (host: SequencerHost) => boolean = () => true;
  /** User of the client that keeps arming its switch, and until when it is alive. */
  live: { readonly user: number; readonly untilMs: number } | undefined;
  /** The nemesis sets this to observe moments. */
  onMoment: (moment: Moment, host: SequencerHost | undefined) => void = () => {};
  #sources = 0;

  constructor({ seed, isTraced }: { seed: number; isTraced: boolean }) {
    this.seed = seed;
    this.trace = isTraced ? [] : undefined;
    this.random = stream(seed, 1);
    this.plan = drawPlan(this.random);
    const chance = stream(seed, 2);
    const random = (): number => chance.word() / 2 ** 32;
    const onFault = (fault: string): void => this.count(fault);
    this.time = new VirtualTime({ startMs: START_MS, random: chance, latenessMsMax: 2 });
    const { time } = this;
    this.commands = new MemoryLog(time);
    this.#storeGenesis();
    this.events = new MemoryLog(time);
    this.snapshots = new MemorySnapshots(time);
    this.busFaults = {
      random,
      delayMs: { leastMs: 0.1, mostMs: 1.5 },
      lateMs: this.plan.busLateMs,
      rates: {},
      onFault,
    };
    this.bus = new SimulatedBus(time, this.busFaults);
    this.links = new SimulatedBus(time, this.busFaults);
    const links = { bus: this.links, changeRate: this.plan.linkChangeRate };
    const environment: Environment = {
      ...this.#logs(),
      bus: this.bus,
      links,
      time,
      random,
      onFault,
      work: this.#work(),
    };
    this.sequencers = this.plan.sequencers.map((name) => this.#sequencer(name, environment));
    this.snapshotter = this.#snapshotter(environment);
    this.clients = this.#clients(environment);
    this.operator = this.#client('operator', environment, { traders: [], commands: 0 });
    this.prober = this.#client('prober', environment, { traders: [], commands: 0 });
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  log(line: () => string): void {
    this.trace?.push(`${(this.time.nowMs() - START_MS).toFixed(2).padStart(9)} ${line()}`);
  }

  violate(violation: string): void {
    this.log(() => `VIOLATION: ${violation}`);
    this.violations.push(violation);
  }

  run(forMs: number): void {
    this.time.runUntil(this.time.nowMs() + forMs);
  }

  /** Sequencers that are not destroyed and can run the log's rules. */
  get living(): SequencerHost[] {
    return this.sequencers.filter((host) => !host.isDestroyed && this.mayLead(host));
  }

  get machines(): Machine[] {
    const hosts = [...this.sequencers, ...this.clients, this.operator, this.snapshotter];
    if (this.plan.trials.length > 0) hosts.push(this.prober);
    return hosts.map(({ machine }) => machine);
  }

  #storeGenesis(): void {
    const { rulesVersion } = this.plan;
    const frame = genesisFrame({ timeMs: START_MS, writer: 1, limits: GENESIS, rulesVersion });
    this.storedMs.set(this.commands.store(sealFrame(frame, hashFrame(frame))), START_MS);
  }

  #work(): Work {
    const { frameMsPerKib, snapshotMsPerKib } = this.plan;
    return {
      frameMs: (sequence, bytes) =>
        (frameMsPerKib * bytes) / 1_024 + (this.#slowFrames.get(sequence) ?? 0),
      snapshotMs: (bytes) => (snapshotMsPerKib * bytes) / 1_024,
    };
  }

  #logs(): Pick<Environment, 'commands' | 'events' | 'snapshots'> {
    return { commands: this.commands, events: this.events, snapshots: this.snapshots };
  }

  #machine(name: string, environment: Environment): Machine {
    const machine = new Machine(name, environment);
    const { commandsDelayMs, eventsDelayMs, skewMsMax } = this.plan;
    machine.setSkewMs(this.random.between(-skewMsMax, skewMsMax));
    Object.assign(machine.commandsPath, { delayMs: commandsDelayMs, timeoutMs: LOG_TIMEOUT_MS });
    Object.assign(machine.eventsPath, { delayMs: eventsDelayMs, timeoutMs: LOG_TIMEOUT_MS });
    return machine;
  }

  #settings(): SequencerSettings {
    const { eventBytesMax, waitingCommandsMax } = this.plan;
    const intake = { ...SEQUENCER_DEFAULTS.intake, waitingCommandsMax, frameCommandsMax: 420 };
    return { ...SETTINGS, eventBytesMax, intake };
  }

  #sequencer(name: string, environment: Environment): SequencerHost {
    return new SequencerHost({
      machine: this.#machine(name, environment),
      label: this.plan.areNamesEqual ? 'sequencer-1' : name,
      time: this.time,
      frameMs: (sequence, bytes) => {
        const slowMs = this.nextFrameMs;
        this.nextFrameMs = 0;
        if (slowMs > 0) this.#slowFrames.set(sequence, slowMs);
        return slowMs + (this.plan.frameMsPerKib * bytes) / 1_024;
      },
      settings: this.#settings(),
      restartMs: () => this.random.between(5, 400),
      onStored: (sequence, host) => {
        this.writers.set(sequence, host.name);
        this.storedMs.set(sequence, this.time.nowMs());
      },
      onMoment: (moment, host) => this.onMoment(moment, host),
      onElected: (epoch, host) => {
        this.count('takeovers');
        const leaders = this.leaders.get(epoch) ?? new Set();
        this.leaders.set(epoch, leaders.add(host.incarnation));
        if (!this.mayLead(host)) this.violate(`${host.incarnation} must not lead`);
      },
      onPoison: () => this.count('poison_met'),
      onEnd: (end, host) => {
        this.count(`ended_${end.kind}`);
        if (end.kind !== 'halted' || this.mayHalt(end, host)) return;
        this.violate(`${host.incarnation} halted: ${end.reason}`);
      },
      trace: (line) => this.log(line),
    });
  }

  #snapshotter(environment: Environment): SnapshotterHost {
    return new SnapshotterHost({
      machine: this.#machine('snapshotter', environment),
      time: this.time,
      everyFrames: this.plan.snapshotEveryFrames,
      keep: this.plan.snapshotsKept,
      retryMs: SETTINGS.retryMs,
      watchMs: SETTINGS.watchMs,
      restartMs: () => this.random.between(5, 400),
      onVerified: () => {
        this.count('snapshots');
        this.onMoment('snapshot_verified', undefined);
      },
      onFault: (reason) => this.violate(`the snapshotter stopped: ${reason}`),
      trace: (line) => this.log(line),
    });
  }

  #clients(environment: Environment): ClientHost[] {
    const { clients: count, commands: total } = this.plan;
    const commands = Math.ceil(total / count);
    return Array.from({ length: count }, (_, index) => {
      const traders = [0, 1].map((at) => {
        const user = 1 + 2 * index + at;
        return new Trader(stream(this.seed, 100 + user), { user, channel: user });
      });
      return this.#client(`client${index + 1}`, environment, { traders, commands });
    });
  }

  #client(
    name: string,
    environment: Environment,
    work: { traders: readonly Trader[]; commands: number },
  ): ClientHost {
    return new ClientHost({
      ...work,
      machine: this.#machine(name, environment),
      time: this.time,
      random: stream(this.seed, 10 + this.#sources++),
      meanPauseMs: Math.max(1, Math.round((1.6 * this.plan.faultsMs) / Math.max(1, work.commands))),
      nextSource: () => ++this.#sources,
      restartMs: () => this.random.between(5, 400),
      trace: (line) => this.log(line),
    });
  }
}

/** Returns the plan of a seed, without its world. */
export function planOf(seed: number): Plan {
  return drawPlan(stream(seed, 1));
}

/** Independent streams of random numbers from one seed. */
function stream(seed: number, which: number): Random {
  return new Random(seed + which * 2 ** 32);
}
