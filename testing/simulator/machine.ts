// One simulated machine: its clock and its paths to the logs, snapshots, bus and direct links. A
// process on it can be killed, paused and restarted. Its memory is lost; messages in flight are
// not.

import type { Bus } from '../../infra/bus/index.ts';
import { linkSubjects } from '../../infra/command-link/index.ts';
import type { LogStream, SnapshotStore } from '../../infra/journal/index.ts';
import type { MemoryLog, MemoryLogConnection } from '../../infra/journal/memory-log.ts';
import { faultlessPath, type LogPath } from '../../infra/journal/memory-log-path.ts';
import type { Clock } from '../../infra/process/index.ts';
import { BusWithLinks } from './bus-with-links.ts';
import type { MemorySnapshots, SnapshotFaults } from './memory-snapshots.ts';
import type { SimulatedBus, SimulatedBusEndpoint } from './simulated-bus.ts';
import type { VirtualProcess, VirtualTime } from './virtual-time.ts';

/** The name of the simulated exchange, in the subjects of its bus. */
export const EXCHANGE = 'simulated';

/** Everything that outlives a process. */
export interface Environment {
  readonly time: VirtualTime;
  readonly commands: MemoryLog;
  readonly events: MemoryLog;
  readonly snapshots: MemorySnapshots;
  readonly bus: SimulatedBus;
  /** Direct links between processes, beside the bus; see BusWithLinks. */
  readonly links?: { readonly bus: SimulatedBus; readonly changeRate: number };
  readonly random: () => number;
  readonly onFault: (fault: string) => void;
}

/** The connections of a process on the machine. */
export interface Connections {
  readonly clock: Clock;
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly bus: Bus;
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

  /** How many processes were started on it. */
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
      commands: logs[0],
      events: logs[1],
      snapshots: snapshots.connect(clock, this.snapshotFaults),
      bus: this.#withLinks(endpoint, clock),
    };
  }

  /** Ends the process at once; messages that it sends in the rest of the turn are dropped. */
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
    this.commandsPath.isCut = isCut;
    this.eventsPath.isCut = isCut;
  }

  #withLinks(bus: Bus, clock: Clock): Bus {
    const { links, random } = this.#environment;
    if (links === undefined) return bus;
    const endpoint = links.bus.connect(this.name, clock);
    this.#endpoints.push(endpoint);
    const { changeRate } = links;
    return new BusWithLinks({
      bus,
      links: endpoint,
      subjects: linkSubjects(EXCHANGE),
      changeRate,
      random,
    });
  }
}
