// The status of a process: its health server, and a beat every second on the bus. It reads and
// reports; a fault in it is logged and never reaches the service.

import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Bus } from '../bus/index.ts';
import {
  type BuildInfo,
  type Clock,
  createHealthServer,
  type EventLoopWatch,
  type Logger,
  type Metrics,
  type Readiness,
  readBuildInfo,
  systemClock,
  type Timer,
  watchEventLoop,
} from '../process/index.ts';
import { type DiskSpace, encodeStatusBeat, type StatusBeat, statusSubject } from './status-beat.ts';

export interface StatusOptions {
  readonly service: string;
  /** The identity of the process; that of the service by default. */
  readonly identity?: string;
  readonly config: StatusConfig;
  /** Undefined if the process has no bus: then only its supervisor sees its status. */
  readonly bus: Pick<Bus, 'publish'> | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  ready(): Readiness;
  /** By name, with the unit last; undefined if not known now. */
  figures?(): Readonly<Record<string, number | undefined>>;
  /** Folders with the process's data, whose free space it reports. */
  readonly folders?: readonly string[];
  /** Version of the kill switches it applies. */
  switchesVersion?(): number | undefined;
  /** Hash of the custody file that it uses. */
  readonly custodyFile?: string;
}

interface StatusConfig {
  readonly exchange: string;
  readonly instance: string;
  readonly commit: string | undefined;
  readonly healthHost: string;
  readonly healthPort: number;
}

export interface Status {
  /** Resolves with the port of the health server. Beats begin. */
  start(): Promise<number>;
  /** Says goodbye, and closes the health server. Call it before the bus is closed. */
  stop(): Promise<void>;
}

const BEAT_EVERY_MS = 1_000;
/** The disks are read with every third beat. */
const BEATS_PER_DISK_READING = 3;

export function openStatus(options: StatusOptions): Status {
  const { config, metrics, service } = options;
  const build = readBuildInfo(config.commit);
  showBuild(metrics, { service, ...build });
  const health = createHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    metrics,
    build,
    ready: () => options.ready(),
  });
  const beats = new Beats(options, build);
  return {
    async start() {
      const port = await health.start();
      beats.start();
      return port;
    },
    async stop() {
      beats.stop();
      await health.stop();
    },
  };
}

function showBuild(metrics: Metrics, labels: BuildInfo & { readonly service: string }): void {
  const labelNames = ['service', 'version', 'commit'] as const;
  metrics
    .gauge({ name: 'rialto_build_info', help: '1 for the build that runs', labelNames })
    .set({ ...labels }, 1);
}

class Beats {
  readonly #options: StatusOptions;
  readonly #clock: Clock;
  readonly #constant: Omit<StatusBeat, 'checks' | 'figures' | 'disks' | 'isLeaving'>;
  #eventLoop: EventLoopWatch | undefined;
  #count = 0;
  #disks: readonly DiskSpace[] = [];
  #isReadingDisks = false;
  #timer: Timer | undefined;
  #isFailing = false;

  constructor(options: StatusOptions, build: BuildInfo) {
    const { clock = systemClock, config, custodyFile, service } = options;
    this.#options = options;
    this.#clock = clock;
    this.#constant = {
      service,
      instance: config.instance,
      host: hostname(),
      pid: process.pid,
      ...build,
      startedMs: Math.round(clock.nowMs()),
      custodyFile,
    };
  }

  start(): void {
    this.#eventLoop = watchEventLoop();
    this.#beat();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#send(true);
    this.#eventLoop?.stop();
  }

  #beat(): void {
    this.#send(false);
    if (this.#count++ % BEATS_PER_DISK_READING === 0) void this.#readDisks();
    this.#timer = this.#clock.after(BEAT_EVERY_MS, () => this.#beat());
  }

  #send(isLeaving: boolean): void {
    const { bus, config, log, ready, switchesVersion } = this.#options;
    if (bus === undefined) return;
    try {
      const beat: StatusBeat = {
        ...this.#constant,
        checks: ready(),
        figures: this.#figures(),
        disks: this.#disks,
        switchesVersion: switchesVersion?.(),
        isLeaving,
      };
      const { identity = beat.service } = this.#options;
      bus.publish(statusSubject(config.exchange, identity), encodeStatusBeat(beat));
      this.#isFailing = false;
    } catch (err) {
      // A check or a figure that throws is a bug, but it must not stop the service.
      if (!this.#isFailing) log.error({ err }, 'status beat failed');
      this.#isFailing = true;
    }
  }

  #figures(): Record<string, number> {
    const own = {
      memory_bytes: process.memoryUsage.rss(),
      event_loop_ms: this.#eventLoop?.longestMs(),
    };
    const known = Object.entries({ ...own, ...this.#options.figures?.() }).filter(
      (entry): entry is [string, number] => Number.isFinite(entry[1]),
    );
    return Object.fromEntries(known);
  }

  /** A disk that hangs must not be queried twice. */
  async #readDisks(): Promise<void> {
    const { folders = [] } = this.#options;
    if (this.#isReadingDisks || folders.length === 0) return;
    this.#isReadingDisks = true;
    try {
      this.#disks = await Promise.all(folders.map(readDisk));
    } catch (err) {
      this.#options.log.warn({ err }, 'disk space unknown');
    } finally {
      this.#isReadingDisks = false;
    }
  }
}

async function readDisk(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
