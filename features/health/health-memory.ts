// The monitor's last report, in memory, so it can be served while the database, the bus or the
// monitor is unreachable. In that case the gateway adds the alarms that it can raise itself.

import type { Bus, Nats, Subscription } from '../../infra/bus/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { timeText } from '../../protocol/wire/index.ts';
import type { Catalogue } from '../listings/index.ts';
import { healthSubject } from './alarm-records.ts';
import { alarmsWithoutMonitor, runbookOf } from './alarms.ts';
import type { ExchangeHealth, HealthReport } from './api/exchange-health.ts';

export interface HealthMemoryOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  readonly nats: Pick<Nats, 'isConnected'>;
  /** Polls the database. */
  readonly catalogue: Pick<Catalogue, 'isCurrent'>;
}

/** Before the first report of a monitor. */
const NO_REPORT: HealthReport = {
  status: 'well',
  alarms: [],
  made_at: null,
  monitor: null,
  bus_up: false,
  database_up: false,
  tables_read_at: null,
  leaders: [],
  followers: [],
  streams: [],
  processes: [],
  queues: [],
  ages: {
    snapshot_ms: null,
    archive_ms: null,
    backup_ms: null,
    restore_drill_ms: null,
    reconciliation_ms: null,
  },
  ledger: [],
  differences: [],
  frozen_markets: [],
  certificates: [],
  disks: [],
  switches_version: null,
};

export class HealthMemory {
  readonly #options: HealthMemoryOptions;
  readonly #subscription: Subscription;
  readonly #startMs: number;
  #report = NO_REPORT;
  #heardMs: number | undefined;

  constructor(options: HealthMemoryOptions) {
    this.#options = options;
    const { bus, clock, exchange } = options;
    this.#startMs = clock.nowMs();
    this.#subscription = bus.subscribe(healthSubject(exchange), (message) => {
      const report = readReport(message);
      if (report === undefined) return;
      this.#report = report;
      this.#heardMs = clock.nowMs();
    });
  }

  get now(): ExchangeHealth {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const sinceMs = this.#heardMs ?? this.#startMs;
    const isBusUp = this.#options.nats.isConnected;
    const isDatabaseUp = this.#options.catalogue.isCurrent;
    const own = alarmsWithoutMonitor({ silentMs: nowMs - sinceMs, isBusUp, isDatabaseUp });
    const report = this.#report;
    const age_ms = this.#heardMs === undefined ? null : Math.round(nowMs - this.#heardMs);
    if (own.length === 0) return { ...report, age_ms };
    const added = own.map((alarm) => ({
      ...alarm,
      opened_at: timeText(sinceMs),
      age_ms: Math.round(nowMs - sinceMs),
      runbook: runbookOf(alarm.name),
    }));
    const names = new Set(own.map(({ name }) => name));
    const others = report.alarms.filter(({ name }) => !names.has(name));
    return {
      ...report,
      status: 'page',
      alarms: [...added, ...others],
      bus_up: isBusUp,
      database_up: isDatabaseUp,
      age_ms,
    };
  }

  stop(): void {
    this.#subscription.stop();
  }
}

function readReport(message: Uint8Array): HealthReport | undefined {
  try {
    const report = JSON.parse(Buffer.from(message).toString()) as HealthReport;
    return Array.isArray(report.alarms) ? report : undefined;
  } catch {
    return undefined;
  }
}
