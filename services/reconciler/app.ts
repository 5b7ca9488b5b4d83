// Assembles a reconciler process: journal, replica, vault, loop, health.

import { readCustodyFile } from '../../features/custody/index.ts';
import { type CoinSource, readRecordedFrame } from '../../features/reconciliation/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { readNodesFile } from '../../infra/chain-evm/index.ts';
import type { CustodyFile } from '../../infra/custody-file/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import {
  checkSchema,
  openPool,
  postgresAddress,
  withConnection,
} from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { logInTables } from '../../infra/projections/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import { chainCoins } from './chain-coins.ts';
import type { ReconcilerConfig } from './config.ts';
import { publishDifferences } from './difference-notices.ts';
import { Reconciler } from './reconciler.ts';
import { REPLICA_STATE_DEFAULTS, ReplicaState } from './replica-state.ts';
import { reconcilerTelemetry } from './telemetry.ts';

export interface ReconcilerApp {
  readonly healthPort: number;
  stop(): Promise<void>;
}

export interface ReconcilerAppOptions {
  readonly config: ReconcilerConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

/** For the vault's keys; the checks have a separate connection. */
const POOL_CONNECTIONS_MAX = 2;

export async function startReconciler(options: ReconcilerAppOptions): Promise<ReconcilerApp> {
  const { config, log, onFault } = options;
  const clock = systemClock;
  const metrics = createMetrics({ ofProcess: true });
  const { custodyFile } = config;
  const custody = custodyFile === undefined ? undefined : await readCustodyFile(custodyFile);
  const connection = {
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name: config.instance,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
  };
  const pool = openPool({ ...connection, connectionsMax: POOL_CONNECTIONS_MAX });
  await withConnection(pool, (one) =>
    checkSchema(one, config.registrySchema, readRegistryMigrations()),
  );
  const { vault, ...opened } = await openVault({ config, registry: pool, clock, log });
  const journal = await openJournal({ config, as: 'reconciler', log, known: logInTables(config) });
  const { commands, nats, snapshots } = journal;
  const bus = new NatsBus(nats);
  const telemetry = reconcilerTelemetry(log, metrics, clock);
  const watcher = publishDifferences(telemetry, bus, config.exchange);
  const engine = new ReplicaState({
    commands,
    exchangeId: journal.found.exchangeId,
    snapshots,
    clock,
    settings: REPLICA_STATE_DEFAULTS,
    recordedTo: await readRecordedFrame(pool),
    onStarted: (frame) => log.info({ frame }, 'replica started'),
    onStalled: (reason) => log.warn({ reason }, 'replica stalled'),
    onFault,
  });
  const { postgresSchema: projectionSchema } = config;
  const { reconcileEveryMs: everyMs, reconcileRowsMax: rowsMax } = config;
  const reconciler = new Reconciler({
    clock,
    connection,
    ports: { vault, projectionSchema, engine, rowsMax, coins: await coinsOf(config, custody) },
    isReady: () => engine.isStarted,
    everyMs,
    watcher,
    onFault,
  });
  const health = openStatus({
    service: 'reconciler',
    config,
    bus,
    log,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      database: reconciler.isDatabaseUp,
      replica: engine.isStarted,
    }),
    figures: () => ({ frame: engine.isStarted ? engine.frame : undefined }),
    ...(custody === undefined ? {} : { custodyFile: custody.hash }),
  });
  const healthPort = await health.start();
  return { healthPort, stop };

  async function stop(): Promise<void> {
    engine.stop();
    await reconciler.stop();
    await opened.stop();
    await health.stop();
    await pool.end();
    await journal.close();
  }
}

/** Undefined without custody, or without nodes. */
async function coinsOf(
  { mode, nodesFile }: ReconcilerConfig,
  custody: CustodyFile | undefined,
): Promise<CoinSource | undefined> {
  if (custody === undefined || nodesFile === undefined) return undefined;
  return chainCoins(custody, await readNodesFile({ path: nodesFile, mode }));
}
