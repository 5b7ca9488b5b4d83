// Opens the database pools of a gateway. A connection to the projected tables is verified before
// its first use, so no replica answers with old rows.

import type { Bus } from '../bus/index.ts';
import type { Journal } from '../journal/index.ts';
import { openPool, postgresAddress } from '../postgres/index.ts';
import type { Clock } from '../process/index.ts';
import { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';

type PostgresConfig = Parameters<typeof postgresAddress>[0];

export interface GatewayPoolsConfig extends PostgresConfig {
  readonly mode: 'production' | 'development';
  readonly instance: string;
  readonly exchange: string;
  readonly postgresSchema: string;
  readonly registrySchema: string;
  readonly databaseConnectionsMax: number;
  readonly statementTimeoutMs: number;
  readonly freshTimeoutMs: number;
}

export interface GatewayPoolsOptions {
  readonly config: GatewayPoolsConfig;
  readonly journal: Pick<Journal, 'commands'>;
  readonly bus: Bus;
  readonly clock: Clock;
  /** A second pool for the registry: kill switches must not wait for other reads. */
  readonly switchPool: { readonly connectionsMax: number; readonly statementTimeoutMs: number };
}

export function openGatewayPools({ bus, clock, config, journal, ...own }: GatewayPoolsOptions) {
  const { databaseConnectionsMax, exchange, freshTimeoutMs, mode, statementTimeoutMs } = config;
  const common = {
    ...postgresAddress(config, mode),
    name: config.instance,
    connectionsMax: databaseConnectionsMax,
    statementTimeoutMs,
  };
  const projections = openPool({
    ...common,
    schema: config.postgresSchema,
    verify: (connection) => fresh.verify(connection),
  });
  const fresh = new FreshReads({
    ...FRESH_READS_DEFAULTS,
    commands: journal.commands,
    bus,
    clock,
    exchange,
    pool: projections,
    timeoutMs: freshTimeoutMs,
  });
  const registry = openPool({ ...common, schema: config.registrySchema });
  const switchPool = openPool({ ...common, schema: config.registrySchema, ...own.switchPool });
  return { fresh, projections, registry, switchPool, close };

  async function close(): Promise<void> {
    fresh.stop();
    await Promise.all([projections.end(), registry.end(), switchPool.end()]);
  }
}
