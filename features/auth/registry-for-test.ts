// Creates a registry on a real PostgreSQL, a vault and a client for identity tests. Only tests
// import it.

import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection, openPool, type Pool } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { createUser } from '../accounts/index.ts';
import type { NewUser } from '../accounts/users.ts';
import type { IdentityClient } from './person-context.ts';

export interface RegistryForTest {
  readonly pool: Pool;
  connection(): Promise<OwnConnection>;
  /** Logs in as a role, which must exist. */
  poolAs(role: string): Pool;
  close(): Promise<void>;
}

const SCHEMA = 'registry';
const KEYS = new Map([[1, Buffer.alloc(32, 3)]]);
export const vault = new Vault(KEYS);
/** The same vault after a key rotation. */
export const rotatedVault = new Vault(new Map([...KEYS, [2, Buffer.alloc(32, 4)]]), {
  activeId: 2,
});

export async function openRegistryForTest(): Promise<RegistryForTest> {
  let stop: () => Promise<void> = async () => {};
  const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
  await migrate(await postgres.session(SCHEMA), SCHEMA, readRegistryMigrations());
  const pool = openPool({ ...postgres.connection(SCHEMA), connectionsMax: 8 });
  const pools = [pool];
  return {
    pool,
    connection: () => postgres.session(SCHEMA),
    poolAs(role) {
      const url = new URL(postgres.server.url);
      url.username = role;
      const options = { ...postgres.connection(SCHEMA), url: url.href, connectionsMax: 2 };
      pools.push(openPool(options));
      return pools.at(-1)!;
    },
    async close() {
      for (const one of pools) await one.end();
      await stop();
    },
  };
}

let users = 0;

/** Creates another user with each call: user1@example.com and so on. */
export async function makeUser(pool: Pool, user: Partial<NewUser> = {}): Promise<UserId> {
  users += 1;
  const made = await createUser(pool, { email: `user${users}@example.com`, ...user });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  return made.id;
}

/** A client without cookies, such as a script. */
export function clientAt(address: string, change: Partial<IdentityClient> = {}): IdentityClient {
  return { address, network: address, userAgent: 'test', isBrowserApp: false, ...change };
}
