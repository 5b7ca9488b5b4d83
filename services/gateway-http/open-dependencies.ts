// Opens the handlers' dependencies in order, and closes them in reverse.

import { openAccess, openAuth } from '../../features/auth/index.ts';
import { custodyAddresses, readCustodyFile } from '../../features/custody/index.ts';
import { HealthMemory } from '../../features/health/index.ts';
import { openSwitchBoard, SWITCH_POOL } from '../../features/kill-switches/index.ts';
import { Catalogue } from '../../features/listings/index.ts';
import {
  CANDLE_MEMORY_DEFAULTS,
  CandleMemory,
  candleTables,
} from '../../features/market-data/index.ts';
import { manualAddresses } from '../../features/payments/index.ts';
import { ORDER_MEMORY_DEFAULTS, OrderMemory } from '../../features/trading/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { openCommandClient } from '../../infra/command-link/index.ts';
import type { CustodyFile } from '../../infra/custody-file/index.ts';
import { openGatewayPools } from '../../infra/fresh-reads/index.ts';
import type { Journal } from '../../infra/journal/index.ts';
import { type FeedChange, LiveFeed } from '../../infra/live-feed/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { ConfigFault, type Logger, type Metrics, systemClock } from '../../infra/process/index.ts';
import { Commands, type Dependencies, type ExchangeIdentity } from '../../platform/http/index.ts';
import { OutboxOutcomes } from '../../platform/outbox/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import { ACTS } from './acts.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayModule } from './served-routes.ts';

export interface OpenDependenciesOptions {
  readonly config: GatewayConfig;
  readonly journal: Journal;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface OpenDependencies {
  readonly dependencies: Dependencies;
  /** Undefined if custody is off. */
  readonly custody: CustodyFile | undefined;
  close(): Promise<void>;
}

const VERSION = '2.19.2';

/** Resolves when the catalog and the public feed are in memory. */
export async function openDependencies(
  options: OpenDependenciesOptions,
): Promise<OpenDependencies> {
  const { config, journal, log, metrics } = options;
  const { exchange } = config;
  const clock = systemClock;
  const custody =
    config.custodyFile === undefined ? undefined : await readCustodyFile(config.custodyFile);
  const bus = new NatsBus(journal.nats);
  const pools = openGatewayPools({ config, journal, bus, clock, switchPool: SWITCH_POOL });
  const { fresh, projections, registry, switchPool } = pools;
  await checkDatabaseRole(registry, config);
  const client = openCommandClient({ bus, clock, exchange, identity: journal.identity });
  const keys = await openVault({ config, registry, clock, log });
  const { vault } = keys;
  const switches = openSwitchBoard({ bus, exchange, log, metrics, pool: switchPool });
  const access = openAccess({ config, bus, clock, log, pool: registry, metrics, switches, vault });
  const catalogue = new Catalogue({ projections, registry, clock, log });
  // The catalog shows whether deposits or withdrawals are stopped.
  switches.watch(() => catalogue.readNow());
  const onChange = (change: FeedChange) => candles.onFeed(change);
  const feed = new LiveFeed({ nats: journal.nats, clock, exchange, log, onChange });
  const source = candleTables(projections);
  const candles = new CandleMemory({ ...CANDLE_MEMORY_DEFAULTS, source, feed, clock });
  const health = new HealthMemory({ bus, catalogue, clock, exchange, nats: journal.nats });
  const orders = new OrderMemory({ ...ORDER_MEMORY_DEFAULTS, bus, exchange });
  // While disconnected, the gateway might have missed an amendment or a revocation.
  const connection = journal.nats.watch((isConnected) => {
    orders.clear();
    if (isConnected) void access.readAgain();
  });
  const outcomes = openOutcomes({ bus, clock, exchange, log, registry });
  await switches.start();
  await catalogue.start();
  await feed.start();
  const dependencies: Dependencies = {
    clock,
    log,
    access,
    changes: accessChangeFeed(bus, exchange),
    switches,
    vault,
    bus,
    acts: ACTS,
    candles,
    catalogue,
    feed,
    fresh,
    health,
    orders,
    outcomes,
    projections,
    registry,
    addresses: custodyAddresses(custody, manualAddresses),
    supportEmail: config.supportEmail,
    exchange: identityOf(config),
    identity: openAuth({ config, clock, vault, log, metrics }),
    commands: new Commands(client, config.commandTimeoutMs),
  };
  return { dependencies, custody, close };

  async function close(): Promise<void> {
    for (const part of [client, catalogue, feed]) part.close();
    await access.stop();
    keys.stop();
    for (const part of [connection, health, orders, outcomes, switches]) part.stop();
    await pools.close();
  }
}

function openOutcomes(
  options: Pick<Dependencies, 'bus' | 'clock' | 'log' | 'registry'> & { readonly exchange: string },
): OutboxOutcomes {
  const { log, registry: statements, ...rest } = options;
  const onFault = (err: unknown) => log.warn({ err }, 'outbox query failed');
  return new OutboxOutcomes({ ...rest, statements, onFault });
}

function identityOf(config: GatewayConfig): ExchangeIdentity {
  return {
    name: config.apiName,
    version: VERSION,
    publicUrl: config.publicUrl,
    isDemo: config.isDemo === 'on',
    exchange: config.exchange,
    projectionSchema: config.postgresSchema,
    registrySchema: config.registrySchema,
    isDevelopment: config.mode === 'development',
  };
}

/** Throws ConfigFault. In development a gateway can have more permissions than it needs. */
export async function checkDatabaseRole(
  registry: Statements,
  { mode, modules }: { readonly mode: string; readonly modules: readonly GatewayModule[] },
): Promise<void> {
  const { rows } = await registry.query(
    `select session_user::text as name,
       has_table_privilege('exchange_control', 'update') as is_admin,
       (select rolsuper from pg_roles where rolname = session_user) as is_superuser`,
  );
  const [{ is_admin: isAdmin, is_superuser: isSuperuser, name }] = rows;
  const servesOperators = modules.includes('admin');
  const expected = servesOperators ? 'gateway_admin' : 'gateway_http';
  if (servesOperators && !isAdmin) {
    throw problem(`names the role ${name}, which cannot serve operators`, expected);
  }
  if (mode !== 'production') return;
  if (isSuperuser) throw problem(`names the superuser ${name}`, expected);
  if (!servesOperators && isAdmin) {
    throw problem(`names the role ${name}, which has operator permissions`, expected);
  }
}

function problem(text: string, expected: string): ConfigFault {
  const name = 'RIALTO_POSTGRES_URL';
  return new ConfigFault([{ name, problem: `${text} (expected the role ${expected})` }]);
}
