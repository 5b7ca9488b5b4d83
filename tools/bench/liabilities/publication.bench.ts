// `npm run bench -- liabilities`: one publication of ten million customers with three assets each,
// from the engine's accounts to the tables of a real PostgreSQL, and one customer's proof.

import { createExchange } from '../../../core/engine/index.ts';
import { INITIAL_LIMITS } from '../../../core/messages/index.ts';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { findPublication, proveLiabilities } from '../../../features/proofs/index.ts';
import {
  type Connection,
  migrate,
  openPool,
  withConnection,
} from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { type PublishedState, publishState } from '../../proof/publish.ts';

const USERS = { full: 10_000_000, quick: 100_000 };
const SYMBOLS = ['btc', 'eth', 'usdt'];
const USERS_PER_STATEMENT = 250_000;
const CAP = 10n ** 18n;
const MEGABYTE = 1_000_000;
const SCHEMA = 'registry';
const STATEMENT_TIMEOUT_MS = 3_600_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const users = USERS[quick ? 'quick' : 'full'];
  const endings: (() => Promise<void>)[] = [];
  const postgres = await startPostgresForTest({ after: (end) => void endings.push(end) });
  const address = { ...postgres.connection(SCHEMA), statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const pool = openPool({ ...address, connectionsMax: 1 });
  try {
    await migrate(await postgres.session(SCHEMA), SCHEMA, readRegistryMigrations());
    return await withConnection(pool, (connection) => measure(connection, users));
  } finally {
    await pool.end();
    for (const end of endings) await end();
  }
}

async function measure(connection: Connection, users: number): Promise<Record<string, unknown>> {
  await connection.query('set statement_timeout = 0');
  await insertUsers(connection, users);
  const state = stateOf(users);
  const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));
  console.log(`${users.toLocaleString('en')} users with ${SYMBOLS.length} assets each`);
  const before = { ...process.memoryUsage(), maxMb: maxMemoryMb() };
  const beganMs = performance.now();
  const began = process.cpuUsage();
  const { document } = await publishState(connection, vault, state, 1_700_000_000_000);
  const { user } = process.cpuUsage(began);
  const elapsedS = (performance.now() - beganMs) / 1_000;
  const publication = (await findPublication(connection))!;
  const proofBeganMs = performance.now();
  const proof = await proveLiabilities(connection, vault, publication, Math.ceil(users / 2));
  const proofMs = performance.now() - proofBeganMs;
  const [blocksMb, recordsMb] = [
    await tableMb(connection, 'liability_blocks'),
    await tableMb(connection, 'liability_records'),
  ];
  return {
    users,
    assets: document.assets.length,
    elapsedS: Math.round(elapsedS),
    processorS: Math.round(user / 1_000_000),
    engineMb: Math.round(before.rss / MEGABYTE),
    peakMb: maxMemoryMb(),
    blocksMb,
    recordsMb,
    documentBytes: publication.document.length,
    proofBytes: JSON.stringify(proof).length,
    proofMs: Math.round(proofMs),
    depth: document.assets[0].depth,
  };
}

/** The engine's state, as if each customer had deposited once in each asset. */
function stateOf(users: number): PublishedState {
  const accounts = (users + 2) * SYMBOLS.length;
  const exchange = createExchange({ ...INITIAL_LIMITS, usersMax: users, accountsMax: accounts });
  const { ledger } = exchange;
  for (const [index, symbol] of SYMBOLS.entries()) {
    const id = (index + 1) as AssetId;
    exchange.assets.push({ id, symbol, scale: 8 });
    ledger.openAsset(id, CAP as Atoms);
  }
  for (let user = 1; user <= users; user++) {
    exchange.users.findOrAdd(user as UserId);
    for (let id = 1; id <= SYMBOLS.length; id++) {
      const slot = ledger.accounts.open(user, id as AssetId);
      ledger.issue(slot, BigInt(1 + ((user * 7_919) % 1_000_003)) as Atoms);
    }
  }
  exchange.sequence = 1;
  return { exchange, sequence: 1, frameHash: new Uint8Array(32) };
}

/** A publication reads users by ID only, so they are inserted without other indexes. */
async function insertUsers(connection: Connection, users: number): Promise<void> {
  const { rows } = await connection.query(
    `select indexname as name from pg_indexes
     where schemaname = $1 and tablename = 'users' and indexname not like '%_pkey'`,
    [SCHEMA],
  );
  await connection.query('alter table users drop constraint users_affiliation_code_key');
  for (const { name } of rows) await connection.query(`drop index if exists ${name}`);
  for (let from = 1; from <= users; from += USERS_PER_STATEMENT) {
    const to = Math.min(users, from + USERS_PER_STATEMENT - 1);
    await connection.query(
      `insert into users (email, username, affiliation_code)
       select 'user-' || i || '@bench.example', 'user-' || i, upper(lpad(to_hex(i), 6, '0'))
       from generate_series($1::bigint, $2::bigint) i`,
      [from, to],
    );
  }
}

async function tableMb(connection: Connection, table: string): Promise<number> {
  const { rows } = await connection.query(`select pg_total_relation_size('${table}') as bytes`);
  return Math.round(Number(rows[0].bytes) / MEGABYTE);
}

function maxMemoryMb(): number {
  return Math.round((process.resourceUsage().maxRSS * 1_024) / MEGABYTE);
}
