// Assembles a monitor process: bus, readings, loop, health.

import { connectNats, NatsBus } from '../../infra/bus/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import { journalNames } from '../../infra/journal/index.ts';
import {
  checkSchema,
  openPool,
  postgresAddress,
  withConnection,
} from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import type { MonitorConfig } from './config.ts';
import { Monitor } from './monitor.ts';
import { Readings } from './readings.ts';
import { monitorTelemetry } from './telemetry.ts';

export interface MonitorApp {
  readonly healthPort: number;
  stop(): Promise<void>;
}

export interface MonitorAppOptions {
  readonly config: MonitorConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

/** One for the tables, one for the ledger totals; the records have a separate one. */
const POOL_CONNECTIONS_MAX = 2;

export async function startMonitor(options: MonitorAppOptions): Promise<MonitorApp> {
  const { config, log, onFault } = options;
  const { exchange, instance } = config;
  const clock = systemClock;
  const metrics = createMetrics({ ofProcess: true });
  const connection = {
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name: instance,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
  };
  const pool = openPool({ ...connection, connectionsMax: POOL_CONNECTIONS_MAX });
  await withConnection(pool, (one) =>
    checkSchema(one, config.registrySchema, readRegistryMigrations()),
  );
  const identity = openIdentity('monitor', config);
  const nats = await connectNats({ urls: config.natsUrls, name: instance, identity, log });
  const bus = new NatsBus(nats);
  const watcher = monitorTelemetry(log, metrics);
  const { commands, events } = journalNames(exchange);
  const readings = new Readings({
    clock,
    nats,
    registry: pool,
    projectionSchema: config.postgresSchema,
    streams: [commands.stream, events.stream],
    natsMonitorUrls: config.natsMonitorUrls,
    certificates: config.certificates,
    ledgerEveryMs: config.ledgerEveryMs,
    watcher,
  });
  const monitor = new Monitor({
    clock,
    bus,
    nats,
    readings,
    connection,
    exchange,
    instance,
    commands: commands.stream,
    watcher,
    onFault,
  });
  const health = openStatus({
    service: 'monitor',
    config,
    bus,
    log,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      database: readings.isDatabaseUp(clock.nowMs()),
    }),
    figures: () => ({ writes: monitor.isActive ? 1 : 0 }),
    folders: config.disks,
  });
  const healthPort = await health.start();
  return { healthPort, stop };

  async function stop(): Promise<void> {
    readings.stop();
    await monitor.stop();
    await health.stop();
    await pool.end();
    await nats.close();
  }
}
