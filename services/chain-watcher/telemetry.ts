// Log lines and metrics of a chain watcher. Only this file knows both.

import { type DatabaseWatcher, databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { NetworkEvents, NetworkState } from './network-watcher.ts';

export type WatcherTelemetry = NetworkEvents & DatabaseWatcher;

export function chainWatcherTelemetry(log: Logger, metrics: Metrics): WatcherTelemetry {
  const blocks = metrics.counter({
    name: 'rialto_chain_blocks_total',
    help: 'Final blocks that this process recorded',
    labelNames: ['network'],
  });
  const deposits = metrics.counter({
    name: 'rialto_chain_deposits_total',
    help: 'Payments to deposit addresses in recorded blocks',
    labelNames: ['network'],
  });
  const failures = metrics.counter({
    name: 'rialto_chain_node_failures_total',
    help: 'Periods in which a node failed or the nodes disagreed',
    labelNames: ['network'],
  });
  return {
    recorded(network, { deposits: count, height }) {
      blocks.inc({ network });
      deposits.inc({ network }, count);
      if (count > 0) log.info({ network, height, deposits: count }, 'block with deposits recorded');
    },
    halted: (network, reason) => log.error({ network, reason }, 'network halted'),
    nodesFailed(network, err) {
      failures.inc({ network });
      log.warn({ network, err }, 'nodes failed');
    },
    nodesRecovered: (network) => log.info({ network }, 'nodes recovered'),
    tracesMissing: (network) => log.warn({ network }, 'no node traces'),
    addressForged: (network, address) =>
      log.error({ network, address }, 'address does not derive from its user'),
    ...databaseTelemetry(log, { metrics, name: 'rialto_chain_watcher_database_away_total' }),
  };
}

/** Metrics that are read when they are collected. */
export function showStates(
  metrics: Metrics,
  states: () => readonly (readonly [network: string, state: NetworkState])[],
): void {
  const gauge = (name: string, help: string, read: (state: NetworkState) => number) =>
    metrics.gauge({
      name: `rialto_chain_${name}`,
      help,
      labelNames: ['network'],
      collect() {
        for (const [network, state] of states()) this.set({ network }, read(state));
      },
    });
  gauge('height', 'Last recorded block', ({ height }) => height);
  gauge('tip_height', 'Newest block of either node', ({ tipHeight }) => tipHeight);
  gauge('behind_blocks', 'Final blocks that are not recorded', ({ finalHeight, height }) =>
    Math.max(0, finalHeight - height),
  );
  gauge('halted', '1 if the network is halted', ({ isHalted }) => Number(isHalted));
  gauge(
    'nodes_disagree_seconds',
    'Since the nodes disagree; 0 while they agree',
    ({ disagreeMs }) => disagreeMs / 1_000,
  );
  gauge(
    'nodes_failing_seconds',
    'Since a node fails; 0 while both respond',
    ({ failingMs }) => failingMs / 1_000,
  );
}
