// One simulated machine: its clock and its paths to the logs, snapshots, bus and direct links. Its
// process can be killed, paused and restarted. A killed process loses its memory but not its
// messages in flight.

import type { Bus } from '../../infra/bus/index.ts';
import { linkSubjects } from '../../infra/command-link/index.ts';
import type { LogStream, Snapshot, SnapshotStore } from '../../infra/journal/index.ts';
import type { MemoryLog, MemoryLogConnection } from '../../infra/journal/memory-log.ts';
import { faultlessPath, type LogPath } from '../../infra/journal/memory-log-path.ts';
import type { Clock } from '../../infra/process/index.ts';
import { BusWithLinks } from './bus-with-links.ts';
import type { MemorySnapshots, SnapshotFaults } from './memory-snapshots.ts';
import type { SimulatedBus, SimulatedBusEndpoint } from './simulated-bus.ts';
import type { VirtualProcess, VirtualTime } from './virtual-time.ts';

/** Name of the simulated exchange in bus subjects. */
export const EXCHANGE = 'simulated';

/** Everything that outlives a process. */
export interface Environment {
  readonly time: VirtualTime;
  readonly commands: MemoryLog;
  readonly events: MemoryLog;
  readonly snapshots: MemorySnapshots;
  readonly bus: SimulatedBus;
  /** Direct links between processes, in addition to the bus; see BusWithLinks. */
  readonly links?: { readonly bus: SimulatedBus; readonly changeRate: number };
  readonly random: () => number;
  readonly onFault: (fault: string) => void;
  /** Time to apply a frame and to restore a snapshot; zero if undefined. */
  readonly work?: Work;
}

export interface Work {
  frameMs(sequence: number, bytes: number): number;
  snapshotMs(bytes: number): number;
}

/** Connections of a process on the machine. */
export interface Connections {
  readonly clock: Clock;
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly bus: Bus;
  /** For heartbeats: a thread with its own bus, which work in the process does not delay. */
  readonly thread: { readonly clock: Clock; readonly bus: Bus };
}

export class Machine {
  readonly name: string;
  readonly commandsPath: LogPath;
  readonly eventsPath: LogPath;
  readonly snapshotFaults: SnapshotFaults;
  readonly #environment: Environment;
  #process: VirtualProcess | undefined;
  #logs: MemoryLogConnection[] = [];
  #endpoints: SimulatedBusEndpoint[] = [];
  #boots = 0;
  #skewMs = 0;

  constructor(name: string, environment: Environment) {
    this.name = name;
    this.#environment = environment;
    const { onFault, random } = environment;
    this.commandsPath = { ...faultlessPath(random), onFault };
    this.eventsPath = { ...faultlessPath(random), onFault };
    this.snapshotFaults = { random, delayMs: { leastMs: 1, mostMs: 20 }, rates: {}, onFault };
  }

  /** Number of processes started on this machine. */
  get boots(): number {
    return this.#boots;
  }

  get isUp(): boolean {
    return this.#process !== undefined;
  }

  get isPaused(): boolean {
    return this.#process?.isPaused ?? false;
  }

  boot(): Connections {
    this.kill();
    const { bus, commands, events, snapshots, time } = this.#environment;
    const clock = time.process(this.#skewMs);
    this.#boots++;
    this.#process = clock;
    const endpoint = bus.connect(this.name, clock);
    this.#endpoints = [endpoint];
    const logs = [
      commands.connect(clock, this.commandsPath),
      events.connect(clock, this.eventsPath),
    ];
    this.#logs = logs;
    return {
      clock,
      commands: this.#working(logs[0], clock),
      events: logs[1],
      snapshots: this.#restoring(snapshots.connect(clock, this.snapshotFaults), clock),
      bus: this.#withLinks(endpoint, clock),
      thread: { clock: clock.thread(), bus: endpoint },
    };
  }

  /** Keeps the process busy for this long, starting now. */
  spend(forMs: number): void {
    this.#process?.spend(forMs);
  }

  /** Kills the process immediately; messages that it sends in the rest of the turn are dropped. */
  kill(): void {
    this.#process?.crash();
    this.#process = undefined;
    for (const log of this.#logs) log.close();
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  pause(): void {
    this.#process?.pause();
  }

  resume(): void {
    if (this.isPaused) this.#process?.resume();
  }

  setSkewMs(skewMs: number): void {
    this.#skewMs = skewMs;
    this.#process?.setSkewMs(skewMs);
  }

  /** Cuts or restores the paths to both logs. */
  setCut(isCut: boolean): void {
    for (const path of [this.commandsPath, this.eventsPath]) {
      path.isCut = isCut;
      if (!isCut) Object.assign(path, { isMute: false, isDeaf: false });
    }
  }

  /** Applying a frame takes time; a busy process sends its messages afterwards. */
  #working(log: LogStream, clock: VirtualProcess): LogStream {
    const { work } = this.#environment;
    if (work === undefined) return log;
    return {
      append: (sequence, message, done) =>
        clock.whenFree(() => log.append(sequence, message, done)),
      extent: (done) => log.extent(done),
      read: (sequence, done) => log.read(sequence, done),
      follow: (from, receive) =>
        log.follow(from, (sequence, message) => {
          clock.spend(work.frameMs(sequence, message.length));
          receive(sequence, message);
        }),
    };
  }

  #restoring(store: SnapshotStore, clock: VirtualProcess): SnapshotStore {
    const { work } = this.#environment;
    if (work === undefined) return store;
    return {
      newest: (atMost, done) =>
        store.newest(atMost, (answer) => {
          const spend = (bytes: number) => clock.spend(work.snapshotMs(bytes));
          done(typeof answer === 'string' ? answer : spending(answer, spend));
        }),
      write: (snapshot, done) => store.write(snapshot, done),
      readDraft: (sequence, done) => store.readDraft(sequence, done),
      confirm: (sequence, done) => store.confirm(sequence, done),
      prune: (keep, done) => store.prune(keep, done),
    };
  }

  #withLinks(bus: SimulatedBusEndpoint, clock: VirtualProcess): Bus {
    const { links, random, work } = this.#environment;
    const sending = work === undefined ? bus : afterWork(bus, clock);
    if (links === undefined) return sending;
    const endpoint = links.bus.connect(this.name, clock);
    this.#endpoints.push(endpoint);
    const { changeRate } = links;
    return new BusWithLinks({
      bus: sending,
      links: work === undefined ? endpoint : afterWork(endpoint, clock),
      subjects: linkSubjects(EXCHANGE),
      changeRate,
      random,
    });
  }
}

/** Restoring takes time for each chunk. */
function spending({ chunks, info }: Snapshot, spend: (bytes: number) => void): Snapshot {
  return {
    info,
    chunks() {
      const inner = chunks();
      return {
        next: (done) =>
          inner.next((answer) => {
            if (typeof answer !== 'string') spend(answer.length);
            done(answer);
          }),
      };
    },
  };
}

/** A busy process sends its messages when its work is done. */
function afterWork(bus: Bus, clock: VirtualProcess): Bus {
  return {
    publish(subject, message) {
      const sent = new Uint8Array(message);
      clock.whenFree(() => bus.publish(subject, sent));
    },
    subscribe: (subject, receive) => bus.subscribe(subject, receive),
  };
}
