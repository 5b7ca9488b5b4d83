// An exchange for one test of deposits and withdrawals: real NATS and PostgreSQL, a sequencer in
// this process, a registry with users without withdrawal limits, and two assets.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Command, decodeCommandFrame, type Event } from '../../core/messages/index.ts';
import type { AssetId, Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { describeCoin } from '../../features/listings/index.ts';
import { describePolicySettings, type RequestedAsset } from '../../features/payments/index.ts';
import { type Nats, NatsBus } from '../../infra/bus/index.ts';
import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  type Outcome,
} from '../../infra/command-link/index.ts';
import { hashFrame } from '../../infra/journal/index.ts';
import {
  type Connection,
  type ConnectionOptions,
  migrate,
  type OwnConnection,
  openPool,
  type Pool,
} from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { Replica } from '../../infra/replica/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { startSequencer } from '../../services/sequencer/app.ts';
import { sequencerConfig } from '../../services/sequencer/config.ts';
import { readFrames } from '../../tools/bench/journal/read-frames.ts';
import { createLogOnce } from '../../tools/create-log/create-log.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { startNatsForTest } from '../nats/nats-for-test.ts';
import { startPostgresForTest } from '../projections/postgres-for-test.ts';

export const EXCHANGE = 'rialto';
export const REGISTRY = 'registry';
/** A destination that every withdrawal in a test can use, with its factor proven. */
export const PROVEN_DESTINATION = {
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  network: 'btc',
  key: 0 as KeyId,
  projectionSchema: EXCHANGE,
  isConfirmed: async () => true,
} as const;

/** Operator claim for withdrawals in tests. */
export const CLAIM = {
  payer: { user: 900 as UserId, isAdmin: false },
  projectionSchema: EXCHANGE,
} as const;

export const BTC: RequestedAsset = { id: 1 as AssetId, currency: 'btc', scale: 8 };
export const USDT: RequestedAsset = { id: 2 as AssetId, currency: 'usdt', scale: 6 };

const PATIENCE_MS = 60_000;
const POOL_CONNECTIONS = 20;

export interface ExchangeForTest {
  readonly nats: Nats;
  readonly pool: Pool;
  /** Connection to the registry's schema. */
  readonly session: OwnConnection;
  /** Environment of a dispatcher process. */
  readonly environment: NodeJS.ProcessEnv;
  readonly users: readonly UserId[];
  connection(schema: string): ConnectionOptions;
  ask(command: Sendable): Promise<Outcome>;
  /** Resolves when no position is pending. */
  untilSettled(): Promise<void>;
  /** Replays the log from its start. Returns the final engine, all events and all commands. */
  replay(): Promise<{ replica: Replica; events: Event[]; commands: Numbered[] }>;
}

type Without<Whole, Name extends string> = Whole extends unknown ? Omit<Whole, Name> : never;
export type Sendable = Without<Command, 'source' | 'number'>;

export interface Numbered {
  readonly number: number;
  readonly command: Command;
}

const SENDER = { exchange: EXCHANGE, sender: 'sandbox', source: 41 };

export async function startExchangeForTest(
  context: TestContext,
  { userCount }: { readonly userCount: number },
): Promise<ExchangeForTest> {
  const { connect, servers } = await startNatsForTest(context, { nodes: 1, syncAlways: false });
  const postgres = await startPostgresForTest(context);
  const environment = {
    RIALTO_MODE: 'development',
    RIALTO_REPLICAS: '1',
    RIALTO_EXCHANGE: EXCHANGE,
    RIALTO_NATS_URLS: servers.urls.join(','),
  };
  const log = createLogger({ service: 'sequencer', instance: 'test', level: 'silent' });
  const nats = await connect();
  await createLogOnce(nats, { exchange: EXCHANGE });
  const sequencer = await startSequencer({
    config: sequencerConfig(environment),
    log,
    onEnd: (end) => assert.fail(JSON.stringify(end)),
  });
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    ...SENDER,
    bus: new NatsBus(nats),
    clock: systemClock,
  });
  const ask = (command: Sendable): Promise<Outcome> =>
    new Promise((done) => {
      client.send({ ...command, ...client.nextId() } as Command, PATIENCE_MS, done);
    });
  await listAssets(ask);
  const connection = await postgres.session(REGISTRY);
  await migrate(connection, REGISTRY, readRegistryMigrations());
  // No markets and no reviews: every withdrawal is approved as soon as it is on hold.
  await postgres.schema(EXCHANGE);
  await describeCoins(connection, { btc: '1', usdt: '1' });
  const users = await makeUsers(connection, userCount);
  const pool = openPool({ ...postgres.connection(REGISTRY), connectionsMax: POOL_CONNECTIONS });
  context.after(async () => {
    client.close();
    await pool.end();
    await sequencer.stop();
  });
  return {
    nats,
    pool,
    session: connection,
    users,
    ask,
    untilSettled,
    replay,
    environment: { ...environment, RIALTO_POSTGRES_URL: postgres.server.url },
    connection: (schema) => postgres.connection(schema),
  };

  function untilSettled(): Promise<void> {
    return waitUntil({
      what: 'every position is settled',
      timeoutMs: PATIENCE_MS,
      question: async () => {
        const text = "select 1 from outbox where state = 'waiting' limit 1";
        return (await connection.query(text)).rows.length === 0;
      },
    });
  }

  async function replay() {
    const replica = Replica.create();
    const events: Event[] = [];
    const commands: Numbered[] = [];
    for (const { frame } of await readFrames(nats, EXCHANGE)) {
      const followed = replica.follow({ frame, frameHash: hashFrame(frame) });
      events.push(...followed.events.events);
      for (const [index, command] of decodeCommandFrame(frame).commands.entries()) {
        commands.push({ number: followed.events.firstCommand + index, command });
      }
    }
    return { replica, events, commands };
  }
}

async function listAssets(ask: (command: Sendable) => Promise<Outcome>): Promise<void> {
  const issuanceCapAtoms = (10n ** 17n) as Atoms;
  for (const [symbol, { scale }] of [['btc', BTC] as const, ['usdt', USDT] as const]) {
    const listed = await ask({ kind: 'ListAsset', symbol, scale, issuanceCapAtoms });
    assert.ok(listed.kind === 'answered' && listed.result.refusal === 'none', symbol);
  }
}

/** Adds coins with these prices, and a policy without reviews. */
export async function describeCoins(
  connection: OwnConnection,
  prices: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [symbol, estimatedPrice] of Object.entries(prices)) {
    const coin = { symbol, fullname: symbol, network: 'btc', estimatedPrice };
    await describeCoin(connection, { ...coin, allowWithdrawal: true });
  }
  await describePolicySettings(connection, {
    oneReviewFrom: '1000000000000',
    twoReviewsFrom: '1000000000000',
    newAddressFrom: '1000000000000',
    freshFundsHours: 0,
    openMax: 1_000_000,
    perHourMax: 1_000_000,
    outflowPerHourMax: '1000000000000',
  });
}

async function makeUsers(connection: OwnConnection, count: number): Promise<UserId[]> {
  await connection.query(
    `insert into transaction_limits (tier, type, currency, limit_currency, amount, monthly_amount)
     values (1, 'withdrawal', 'usdt', 'default', 0, 0)`,
  );
  const users: UserId[] = [];
  for (let index = 1; index <= count; index++) {
    const user = await createUser(connection, { email: `user${index}@example.com` });
    assert.ok(typeof user === 'object', String(user));
    users.push(user.id);
  }
  return users;
}

/** Runs the work on a connection of the pool, and releases the connection. */
export async function withSession<Result>(
  pool: Pool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect();
  try {
    return await work(session);
  } finally {
    session.release();
  }
}
