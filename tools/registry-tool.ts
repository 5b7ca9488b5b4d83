// Opens the registry for operator tools: one connection with the environment's settings, or a pool
// with the vault. Both close when the work is done.

import {
  type OwnConnection,
  openConnection,
  openPool,
  type Pool,
  postgresAddress,
} from '../infra/postgres/index.ts';
import { createLogger, type Logger, systemClock } from '../infra/process/index.ts';
import { type ConfigFor, readToolConfig } from '../infra/settings/index.ts';
import { openVault, type Vault } from '../platform/vault/index.ts';
import { DATABASE_KEYS } from './command-line.ts';

export type RegistryConfig = Pick<ConfigFor<'tools'>, (typeof DATABASE_KEYS)[number]>;

export interface OpenedRegistry {
  readonly config: RegistryConfig;
  readonly pool: Pool;
  readonly log: Logger;
  /** Opened only by the commands that need the key file. */
  openVault(): Promise<Vault>;
}

export async function withRegistry<Result>(
  name: string,
  work: (registry: OpenedRegistry) => Promise<Result>,
): Promise<Result> {
  const config = readToolConfig(process.env, DATABASE_KEYS);
  const pool = openPool({
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name,
    connectionsMax: 1,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
  });
  const log = createLogger({ service: name, instance: name, level: 'warn' });
  try {
    return await work({
      config,
      pool,
      log,
      async openVault() {
        const opened = await openVault({ config, registry: pool, clock: systemClock, log });
        opened.stop();
        return opened.vault;
      },
    });
  } finally {
    await pool.end();
  }
}

/** For long statements, which the settings' time limit must not stop. */
export async function withRegistryConnection<Result>(
  { name, statementTimeoutMs }: { readonly name: string; readonly statementTimeoutMs: number },
  work: (connection: OwnConnection, config: RegistryConfig) => Promise<Result>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Result> {
  const config = readToolConfig(environment, DATABASE_KEYS);
  const connection = await openConnection({
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name,
    statementTimeoutMs,
  });
  try {
    return await work(connection, config);
  } finally {
    await connection.end();
  }
}
