// The monitor's loop: every second it turns beats and readings into facts, and facts into alarms,
// and publishes the report on the bus. Among several monitors, one writes and one publishes: the
// one with the lock or, while no other has a heartbeat, any.

import {
  type AlarmEpisode,
  alarmsOf,
  healthSubject,
  readOpenAlarms,
  readProcesses,
  removeProcesses,
  writeAlarm,
  writeProcesses,
} from '../../features/health/index.ts';
import type { Bus, Nats, Subscription, Watch } from '../../infra/bus/index.ts';
import {
  type ConnectionOptions,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { allStatusSubjects, readStatusBeat, type StatusBeat } from '../../infra/status/index.ts';
import { operatorNoticeSubject } from '../../platform/outbox/index.ts';
import type { HealthMessage, HealthReport } from '../../protocol/index.ts';
import { AlarmBook } from './alarm-book.ts';
import { FactGatherer } from './gather-facts.ts';
import { healthReport } from './health-report.ts';
import { LogHistory } from './log-history.ts';
import { ProcessBook } from './process-book.ts';
import type { Readings } from './readings.ts';

export interface MonitorOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly nats: Pick<Nats, 'isConnected' | 'watch'>;
  readonly readings: Readings;
  /** Connection to the registry, for the records. */
  readonly connection: ConnectionOptions;
  readonly exchange: string;
  readonly instance: string;
  /** Name of the stream whose messages are frames. */
  readonly commands: string;
  readonly watcher: MonitorWatcher;
  /** The monitor cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface MonitorWatcher {
  /** An alarm opened or closed, or its severity changed. */
  changed(open: readonly AlarmEpisode[]): void;
  published(): void;
}

const TICK_MS = 1_000;
/** By then every beat has arrived. Before that, every process would seem to be missing. */
const WARM_UP_MS = 2_500;
/** How often operators get the report, even if no alarm opens or closes. */
const NOTICE_EVERY_MS = 5_000;
/** Another monitor with a heartbeat within this time publishes instead. */
const OTHER_MS = 3_000;

export class Monitor {
  readonly #options: MonitorOptions;
  readonly #book = new ProcessBook();
  readonly #alarms = new AlarmBook();
  readonly #history = new LogHistory();
  readonly #gatherer: FactGatherer;
  readonly #loop: SingletonLoop;
  readonly #subscriptions: Subscription[];
  readonly #watch: Watch;
  readonly #startMs: number;
  #busUpMs: number | undefined;
  #other: { readonly instance: string; readonly heardMs: number } | undefined;
  #noticeMs = 0;
  #isLoaded = false;
  #timer: Timer | undefined;

  constructor(options: MonitorOptions) {
    this.#options = options;
    const { bus, clock, connection, exchange, nats, onFault } = options;
    this.#startMs = clock.nowMs();
    this.#busUpMs = nats.isConnected ? this.#startMs : undefined;
    this.#gatherer = new FactGatherer(this.#startMs);
    this.#subscriptions = [
      bus.subscribe(allStatusSubjects(exchange), (message, subject) =>
        this.#onBeat(readStatusBeat(message, subject)),
      ),
      bus.subscribe(healthSubject(exchange), (message) => this.#onReport(message)),
    ];
    this.#watch = nats.watch((isUp) => {
      this.#busUpMs = isUp ? clock.nowMs() : undefined;
    });
    this.#loop = new SingletonLoop({
      clock,
      connection,
      lockClass: LOCKS.monitor,
      standbyMs: TICK_MS,
      round: (one) => this.#record(one),
      onClosed: () => {
        this.#isLoaded = false;
      },
      onFault,
    });
    this.#loop.start();
    this.#timer = clock.after(TICK_MS, () => this.#tick());
  }

  /** True if it writes the records; then another one is the standby. */
  get isActive(): boolean {
    return this.#loop.isActive;
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#watch.stop();
    for (const subscription of this.#subscriptions) subscription.stop();
    await this.#loop.stop();
  }

  #onBeat(beat: StatusBeat | undefined): void {
    if (beat !== undefined) this.#book.heard(beat, this.#options.clock.nowMs());
  }

  #onReport(message: Uint8Array): void {
    const instance = monitorOf(message);
    if (instance === undefined || instance === this.#options.instance) return;
    this.#other = { instance, heardMs: this.#options.clock.nowMs() };
  }

  #tick(): void {
    const { clock, commands, nats, readings, watcher } = this.#options;
    this.#timer = clock.after(TICK_MS, () => this.#tick());
    const nowMs = clock.nowMs();
    if (nowMs - this.#startMs < WARM_UP_MS) return;
    this.#book.tick(nowMs, this.#busUpMs);
    const isBusUp = nats.isConnected;
    const own = { book: this.#book, history: this.#history, readings, commands };
    const facts = this.#gatherer.gather({ ...own, isBusUp }, nowMs);
    const isChanged = this.#alarms.update(alarmsOf(facts), nowMs);
    const alarms = this.#alarms.open;
    if (isChanged) {
      watcher.changed(alarms);
      this.#loop.wake();
    }
    if (!this.#publishes(nowMs)) return;
    const { instance: monitor } = this.#options;
    const { tablesReadMs } = readings;
    this.#publish(healthReport({ facts, alarms, monitor, tablesReadMs }), isChanged, nowMs);
  }

  /** Without the lock, the one with the smaller name publishes if both do. */
  #publishes(nowMs: number): boolean {
    if (this.#loop.isActive || this.#other === undefined) return true;
    const isSilent = nowMs - this.#other.heardMs > OTHER_MS;
    return isSilent || (!this.#loop.isDatabaseUp && this.#options.instance < this.#other.instance);
  }

  #publish(report: HealthReport, isChanged: boolean, nowMs: number): void {
    const { bus, exchange, watcher } = this.#options;
    bus.publish(healthSubject(exchange), Buffer.from(JSON.stringify(report)));
    watcher.published();
    if (!isChanged && nowMs - this.#noticeMs < NOTICE_EVERY_MS) return;
    this.#noticeMs = nowMs;
    const notice: HealthMessage = {
      topic: 'health',
      action: 'update',
      data: report,
      time: Math.floor(nowMs / 1_000),
    };
    const message = Buffer.from(JSON.stringify(notice));
    bus.publish(operatorNoticeSubject(exchange, 'health'), message);
  }

  /** Brings the tables in line with memory, and reads which processes were dismissed. */
  async #record(connection: OwnConnection): Promise<number> {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const onRecord = await readProcesses(connection);
    if (!this.#isLoaded) {
      this.#book.load(onRecord, nowMs);
      this.#alarms.adopt(await readOpenAlarms(connection), nowMs);
      this.#isLoaded = true;
    }
    this.#book.dismissed(new Set(onRecord.map(({ instance }) => instance)));
    const { records, removed } = this.#book.unwritten(nowMs);
    await removeProcesses(connection, removed);
    await writeProcesses(connection, records);
    this.#book.written(records, nowMs);
    const episodes = this.#alarms.unrecorded;
    for (const episode of episodes) await writeAlarm(connection, episode);
    this.#alarms.recorded(episodes);
    return TICK_MS;
  }
}

function monitorOf(message: Uint8Array): string | undefined {
  try {
    const { monitor } = JSON.parse(Buffer.from(message).toString()) as Partial<HealthReport>;
    return typeof monitor === 'string' ? monitor : undefined;
  } catch {
    return undefined;
  }
}
