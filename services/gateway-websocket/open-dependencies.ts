// Opens the topics' dependencies in order, and closes them in reverse.

import { openAccess } from '../../features/auth/index.ts';
import { openSwitchBoard, SWITCH_POOL } from '../../features/kill-switches/index.ts';
import { Catalogue } from '../../features/listings/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { openCommandClient } from '../../infra/command-link/index.ts';
import { openGatewayPools } from '../../infra/fresh-reads/index.ts';
import type { Journal } from '../../infra/journal/index.ts';
import { type Logger, type Metrics, systemClock } from '../../infra/process/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import type { StreamConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { switchThreadConfig } from './private/switch-messages.ts';

export interface OpenPartsOptions {
  readonly config: StreamConfig;
  readonly journal: Journal;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface OpenParts {
  readonly dependencies: Dependencies;
  close(): Promise<void>;
}

export async function openDependencies(options: OpenPartsOptions): Promise<OpenParts> {
  const { config, journal, log, metrics } = options;
  const { commandTimeoutMs, exchange } = config;
  const clock = systemClock;
  const { nats } = journal;
  const bus = new NatsBus(nats);
  const pools = openGatewayPools({ config, journal, bus, clock, switchPool: SWITCH_POOL });
  const { fresh, projections, registry, switchPool } = pools;
  const commands = openCommandClient({ bus, clock, exchange, identity: journal.identity });
  const keys = await openVault({ config, registry, clock, log });
  const { vault } = keys;
  const switches = openSwitchBoard({ bus, exchange, log, metrics, pool: switchPool });
  const access = openAccess({ config, bus, clock, log, pool: registry, metrics, switches, vault });
  const catalogue = new Catalogue({ projections, registry, clock, log });
  // Revocations might have been published while the connection was down.
  const returns = nats.watch((isConnected) => {
    if (isConnected) void access.readAgain();
  });
  await switches.start();
  await catalogue.start();
  return {
    dependencies: {
      clock,
      log,
      metrics,
      access,
      switches,
      nats,
      bus,
      exchange,
      catalogue,
      commands,
      commandTimeoutMs,
      fresh,
      projections,
      switchThread: switchThreadConfig(config),
    },
    async close() {
      returns.stop();
      commands.close();
      catalogue.close();
      await access.stop();
      keys.stop();
      switches.stop();
      await pools.close();
    },
  };
}
