// Assembles a chain watcher process: custody file, nodes, bus, switches, loop, health.

import { readCustodyFile } from '../../features/custody/index.ts';
import {
  openSwitchBoard,
  readStoppedDeposits,
  SWITCH_POOL,
} from '../../features/kill-switches/index.ts';
import { connectNats, NatsBus } from '../../infra/bus/index.ts';
import { EvmChain, EvmNode, readNodesFile } from '../../infra/chain-evm/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import {
  checkSchema,
  openPool,
  postgresAddress,
  withConnection,
} from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { outboxSubjects } from '../../platform/outbox/index.ts';
import { ChainWatcher } from './chain-watcher.ts';
import type { ChainWatcherConfig } from './config.ts';
import { NetworkWatcher } from './network-watcher.ts';
import { chainWatcherTelemetry, showStates } from './telemetry.ts';

export interface ChainWatcherApp {
  readonly healthPort: number;
  /** Records the block in progress, then closes everything. */
  stop(): Promise<void>;
}

export interface ChainWatcherAppOptions {
  readonly config: ChainWatcherConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

const NOTHING = new Uint8Array();

export async function startChainWatcher(options: ChainWatcherAppOptions): Promise<ChainWatcherApp> {
  const { config, log, onFault } = options;
  const { exchange, instance, mode, natsUrls: urls } = config;
  const clock = systemClock;
  const metrics = createMetrics({ ofProcess: true });
  const telemetry = chainWatcherTelemetry(log, metrics);
  const file = await readCustodyFile(config.custodyFile);
  const nodeUrls = await readNodesFile({ path: config.nodesFile, mode });
  const connection = {
    ...postgresAddress(config, mode),
    schema: config.registrySchema,
    name: instance,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
  };
  const pool = openPool({ ...connection, ...SWITCH_POOL });
  await withConnection(pool, (one) =>
    checkSchema(one, config.registrySchema, readRegistryMigrations()),
  );
  const identity = openIdentity('chain-watcher', config);
  const nats = await connectNats({ urls, name: instance, identity, log });
  const bus = new NatsBus(nats);
  const switches = openSwitchBoard({ bus, exchange, log, metrics, pool });
  const networks = [...file.networks.values()].map((network) => {
    const found = nodeUrls.get(network.name);
    if (found === undefined) throw new Error(`the nodes file has no nodes of ${network.name}`);
    const [one, other] = found.map((url, at) => new EvmNode({ url, name: `node ${at + 1}` }));
    const { chainId, final } = network;
    const chain = new EvmChain({ nodes: [one, other], chainId, final });
    return new NetworkWatcher({ file, network, chain, clock, events: telemetry });
  });
  showStates(metrics, () => networks.map(({ name, state }) => [name, state]));
  // Nothing is recorded before the first read, no matter how long it takes.
  void switches.start();
  const { waiting } = outboxSubjects(exchange);
  const watcher = new ChainWatcher({
    clock,
    connection,
    networks,
    everyMs: config.chainEveryMs,
    isIntakeStopped: () => switches.isIntakeStopped('chain-watcher'),
    async stoppedAssets(one) {
      const stopped = await readStoppedDeposits(one);
      const coins = file.coins.filter(({ symbol }) => stopped.has('') || stopped.has(symbol));
      return new Set(coins.map(({ asset }) => Number(asset)));
    },
    onDeposits: () => bus.publish(waiting, NOTHING),
    onDown: telemetry.databaseDown,
    onUp: telemetry.databaseUp,
    onFault,
  });
  const switchWatch = switches.watch(() => watcher.wake());
  const health = openStatus({
    service: 'chain-watcher',
    config,
    bus,
    log,
    metrics,
    ready: () => ({ bus: nats.isConnected, database: watcher.isDatabaseUp }),
    figures: () => Object.fromEntries(networks.flatMap(figuresOf)),
    switchesVersion: () => switches.version,
    custodyFile: file.hash,
  });
  const healthPort = await health.start();
  return { healthPort, stop };

  async function stop(): Promise<void> {
    switchWatch.stop();
    await watcher.stop();
    switches.stop();
    await health.stop();
    await nats.close();
    await pool.end();
  }
}

function figuresOf({ name, state }: NetworkWatcher): [string, number][] {
  if (!state.isOpen) return [];
  return [
    [`${name}_height`, state.height],
    [`${name}_final_height`, state.finalHeight],
    [`${name}_tip_height`, state.tipHeight],
    [`${name}_halted`, Number(state.isHalted)],
    [`${name}_disagree_ms`, state.disagreeMs],
    [`${name}_failing_ms`, state.failingMs],
  ];
}
