// Tests the operators' lists on a real PostgreSQL against a filter in memory: random filters, pages
// and orders give the same rows and counts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { AssetId, MarketId, UserId } from '../../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
} from '../../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { balancesOfUsers, totalBalances } from './balances.ts';
import type { OperatorList } from './list-statement.ts';
import { loginsOfUsers } from './logins.ts';
import { ordersOfUsers } from './orders.ts';
import { sessionsOfUsers } from './sessions.ts';
import { tradesOfUsers } from './trades.ts';
import { walletsOfUsers } from './wallets.ts';

const ROWS = 300;
const USERS = 8;
const SCHEMA = 'projected';
const START_MS = Date.UTC(2026, 8, 20);
/** Several rows per minute, and a long pause at the end of the month. */
const STEP_MS = 17_000;
const PAUSE_MS = 30 * 86_400_000;
const SIDES = ['buy', 'sell'] as const;
const STATUSES = ['new', 'pfilled', 'filled', 'canceled'] as const;
const COUNTRIES = ['AT', 'JP', ''];
const RUNS = { numRuns: 150 };

/** Row n of every table; the columns of each table are some of these. */
interface Fact {
  readonly n: number;
  readonly user: number;
  /** For a trade, the maker; sometimes the taker itself. */
  readonly other: number;
  readonly market: number;
  readonly side: 'buy' | 'sell';
  readonly status: (typeof STATUSES)[number];
  readonly country: string;
  readonly flag: boolean;
  readonly atMs: number;
}

const facts: readonly Fact[] = Array.from({ length: ROWS }, (_, at) => {
  const n = at + 1;
  return {
    n,
    user: 1 + (n % USERS),
    other: 1 + ((n * n + 3) % USERS),
    market: 1 + (n % 3),
    side: SIDES[n % 2],
    status: STATUSES[(n * 7) % 4],
    country: COUNTRIES[(n * 5) % 3],
    flag: n % 4 > 0,
    atMs: START_MS + n * STEP_MS + (n > ROWS / 2 ? PAUSE_MS : 0),
  };
});

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const user = maybe(fc.integer({ min: 1, max: USERS + 1 }));
const moment = maybe(
  fc
    .record({ n: fc.integer({ min: 0, max: ROWS + 2 }), ms: fc.integer({ min: 0, max: STEP_MS }) })
    .map(({ ms, n }) => new Date((facts[n]?.atMs ?? START_MS) + ms)),
);
const dates = { from: moment, to: moment };
const page = fc.record({
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 40 }),
  offset: fc.integer({ min: 0, max: 60 }),
});
type Page = typeof page extends fc.Arbitrary<infer Value> ? Value : never;

let stop: () => Promise<void> = async () => {};
let connection: OwnConnection;

describe('operator lists', { timeout: 300_000 }, () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    const projection = await postgres.schema(SCHEMA);
    await makeOrderPartition(projection, 0, 1_000_000);
    for (const ms of [START_MS, START_MS + 31 * 86_400_000]) {
      await makeMonthPartitions(projection, monthOf(ms));
    }
    connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
    await fill(projection, connection);
  });
  after(() => stop());

  test('orders are filtered by user, market, side, status, openness and dates', async () => {
    const filter = fc.record({
      user,
      market: maybe(fc.integer({ min: 1, max: 4 })),
      side: maybe(fc.constantFrom(...SIDES)),
      status: maybe(fc.constantFrom(...STATUSES)),
      isOpen: maybe(fc.boolean()),
      ...dates,
    });
    await sameRows(filter, {
      list: (asked) =>
        ordersOfUsers(
          { ...asked, user: asked.user as UserId, market: asked.market as MarketId },
          SCHEMA,
        ),
      idOf: (row) => Number(row.number),
      matches: (fact, asked) =>
        isOne(fact.user, asked.user) &&
        isOne(fact.market, asked.market) &&
        isOne(fact.side, asked.side) &&
        isOne(fact.status, asked.status) &&
        isOne(fact.status === 'new' || fact.status === 'pfilled', asked.isOpen) &&
        isWithin(fact, asked),
    });
  });

  test('trades are listed once each, even of a user with itself', async () => {
    const filter = fc.record({
      user,
      market: maybe(fc.integer({ min: 1, max: 4 })),
      side: maybe(fc.constantFrom(...SIDES)),
      ...dates,
    });
    await sameRows(filter, {
      list: (asked) =>
        tradesOfUsers(
          { ...asked, user: asked.user as UserId, market: asked.market as MarketId },
          SCHEMA,
        ),
      idOf: (row) => Number(row.number),
      matches: (fact, asked) =>
        (isOne(fact.user, asked.user) || isOne(fact.other, asked.user)) &&
        isOne(fact.market, asked.market) &&
        isOne(fact.side, asked.side) &&
        isWithin(fact, asked),
    });
  });

  test('logins are filtered by user, outcome, country, address and dates', async () => {
    const filter = fc.record({
      user,
      status: maybe(fc.boolean()),
      country: maybe(fc.constantFrom(...COUNTRIES)),
      ip: maybe(fc.integer({ min: 1, max: 5 }).map((one) => `198.51.100.${one}`)),
      ...dates,
    });
    await sameRows(filter, {
      list: (asked) => loginsOfUsers({ ...asked, user: asked.user as UserId }),
      idOf: (row) => Number(row.user_agent),
      matches: (fact, asked) =>
        isOne(fact.user, asked.user) &&
        isOne(fact.flag, asked.status) &&
        isOne(fact.country, asked.country) &&
        isOne(`198.51.100.${fact.other}`, asked.ip) &&
        isWithin(fact, asked),
    });
  });

  test('sessions include those in which a user acts for another', async () => {
    const filter = fc.record({
      user,
      status: maybe(fc.boolean()),
      seenSince: moment,
      ...dates,
    });
    await sameRows(filter, {
      list: (asked) => sessionsOfUsers({ ...asked, user: asked.user as UserId }),
      idOf: (row) => Number(row.user_agent),
      matches: (fact, asked) =>
        (isOne(fact.user, asked.user) || isOne(fact.other, asked.user)) &&
        isOne(fact.flag, asked.status) &&
        (asked.seenSince === undefined || fact.atMs >= asked.seenSince.getTime()) &&
        isWithin(fact, asked),
    });
  });

  test('deposit addresses are filtered by each of their columns', async () => {
    const filter = fc.record({
      user,
      currency: maybe(fc.integer({ min: 1, max: 5 }).map((one) => `coin ${one}`)),
      address: maybe(fc.integer({ min: 1, max: 5 }).map((one) => `address ${one}`)),
      isValid: maybe(fc.boolean()),
      network: maybe(fc.constantFrom('buy', 'sell')),
      ...dates,
    });
    await sameRows(filter, {
      list: (asked) => walletsOfUsers({ ...asked, user: asked.user as UserId }),
      idOf: (row) => Number(row.standard),
      matches: (fact, asked) =>
        isOne(fact.user, asked.user) &&
        isOne(`coin ${fact.n}`, asked.currency) &&
        isOne(`address ${fact.n}`, asked.address) &&
        isOne(fact.flag, asked.isValid) &&
        isOne<string>(fact.side, asked.network) &&
        isWithin(fact, asked),
    });
  });

  test('balances of users are listed without those of the exchange itself', async () => {
    const list = balancesOfUsers({ asset: 2 as AssetId }, SCHEMA);
    const { count, rows } = await read(list, { order: 'asc', limit: 3, offset: 1 });
    const found = rows.map(({ available_atoms, owner }) => [
      Number(owner),
      Number(available_atoms),
    ]);
    assert.deepEqual(found, [
      [2, 200],
      [3, 300],
      [4, 400],
    ]);
    assert.equal(count, USERS);
    const total = await connection.query(totalBalances(SCHEMA));
    assert.deepEqual(
      total.rows.map((row) => [row.asset_id, row.available_atoms, row.held_atoms]),
      [
        ['1', '3600', '36'],
        ['2', '3600', '36'],
      ],
    );
  });
});

interface Compared<Filter> {
  list(filter: Filter): OperatorList;
  // biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
  idOf(row: any): number;
  matches(fact: Fact, filter: Filter): boolean;
}

async function sameRows<Filter>(
  filters: fc.Arbitrary<Filter>,
  { idOf, list, matches }: Compared<Filter>,
): Promise<void> {
  const property = fc.asyncProperty(filters, page, async (filter, asked) => {
    const { count, rows } = await read(list(filter), asked);
    const expected = facts.filter((fact) => matches(fact, filter)).map(({ n }) => n);
    if (asked.order === 'desc') expected.reverse();
    assert.equal(count, expected.length);
    const { limit, offset } = asked;
    assert.deepEqual(rows.map(idOf), expected.slice(offset, offset + limit));
  });
  await fc.assert(property, RUNS);
}

async function read(list: OperatorList, { limit, offset, order }: Page) {
  const by = list.defaultSort.map((column) => `${column} ${order}`).join(', ');
  const { rows } = await connection.query(list.rows(`order by ${by}`), [
    ...list.values,
    limit,
    offset,
  ]);
  const counted = await connection.query(list.count, [...list.values, null]);
  return { rows, count: Number(counted.rows[0].count) };
}

function isOne<Value>(value: Value, asked: Value | undefined): boolean {
  return asked === undefined || value === asked;
}

function isWithin(
  { atMs }: Fact,
  { from, to }: { from: Date | undefined; to: Date | undefined },
): boolean {
  return (
    (from === undefined || atMs >= from.getTime()) && (to === undefined || atMs < to.getTime())
  );
}

async function fill(projection: OwnConnection, registry: OwnConnection): Promise<void> {
  for (let id = 1; id <= USERS; id++) {
    await registry.query(
      `insert into users (email, username, affiliation_code)
       values ($1 || '@example.com', $1, lpad($1, 6, 'A'))`,
      [`${id}`],
    );
  }
  await projection.query(
    `insert into balances select i, a, i * 100, i, now(), 0
     from generate_series(1, ${USERS}) i cross join generate_series(1, 2) a
     union all select -1, 1, -5000, 0, now(), 0`,
  );
  for (const fact of facts) {
    await insertTrading(projection, fact);
    await insertPeople(registry, fact);
  }
}

async function insertTrading(projection: OwnConnection, fact: Fact): Promise<void> {
  const { atMs, market, n, other, side, status, user } = fact;
  const at = new Date(atMs);
  const isOpen = status === 'new' || status === 'pfilled';
  const reason = isOpen ? null : status === 'filled' ? 'filled' : 'canceled_by_user';
  await projection.query(
    `insert into orders values ($1, $2, 0, $3, $4, 'limit', 'GTC', 'off', false, false, 1, 10, 0, 0,
       0, 0, 0, 0, $5, $6, '', '', $7, 1, null, $7, 1)`,
    [n, user, market, side, status, reason, at],
  );
  await projection.query(
    `insert into minutes values (date_trunc('minute', $1::timestamptz), $2) on conflict do nothing`,
    [at, n],
  );
  await projection.query(
    `insert into trades values ($1, $2, 1, 2, $3, 1, 1, $1, $1, $4, $5, 1, 1, 0, 0, false, false,
       $1, $1, $6)`,
    [n, market, side, other, user, at],
  );
  for (const [liquidity, owner] of [
    ['maker', other],
    ['taker', user],
  ]) {
    await projection.query(
      `insert into fills values ($1, $2, $3, $4, $5, 1, 1, 1, $2, 1, 0, false, $6)`,
      [owner, n, liquidity, market, side, at],
    );
  }
}

/** The row number is in a text column. */
async function insertPeople(registry: OwnConnection, fact: Fact): Promise<void> {
  const { atMs, country, flag, n, other, side, user } = fact;
  const at = new Date(atMs);
  await registry.query(
    `insert into logins (created_at, user_id, email_mac, outcome, ip, country, user_agent)
     values ($1, $2, '', $3, $4, $5, $6)`,
    [at, user, flag ? 'success' : 'password_wrong', `198.51.100.${other}`, country, `${n}`],
  );
  await registry.query(
    `insert into sessions (user_id, actor_id, token_hash, scopes, expires_at, revoked_at,
       created_at, last_seen_at, user_agent)
     values ($1, $2, sha256($3::bytea), '{}', now() + interval '1 day', $4, $5, $5, $6)`,
    [user, other, `${n}`, flag ? null : at, at, `${n}`],
  );
  await registry.query(
    `insert into wallets (user_id, currency, address, network, standard, is_valid, created_at)
     values ($1, $7, $2, $3, $4, $5, $6)`,
    [user, `address ${n}`, side, `${n}`, flag, at, `coin ${n}`],
  );
}
