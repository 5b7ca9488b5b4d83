// `npm run bench -- operator-lists`: measures every operator list and every request from the
// console's screens, with many rows. The first page, a date range, one user and searches, over
// HTTP; and a file with a million rows, with the memory of the sending gateway.

import { readFileSync } from 'node:fs';
import { DAY_MS } from '../../../core/market-data/index.ts';
import { orderIdText } from '../../../core/messages/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import { openConnection } from '../../../infra/postgres/index.ts';
import { type Route, type RouteName, routes } from '../../../protocol/index.ts';
import { percentile } from '../../percentile.ts';
import { RestClient, sign, targetOf } from '../../sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { PROJECTION_SCHEMA, REGISTRY_SCHEMA } from '../../sandbox/sandbox-settings.ts';
import { ledgerToCall } from './fill-ledger.ts';
import { DAYS, FIRST_NUMBER, fillTables, HEAVY_USER, type RowCounts } from './fill-tables.ts';

const COUNTS: Record<'full' | 'quick', RowCounts> = {
  full: { users: 1_000_000, orders: 5_000_000, trades: 5_000_000 },
  quick: { users: 50_000, orders: 200_000, trades: 200_000 },
};
const CALLS = { full: 60, quick: 20 };
const FILE_ROWS_MAX = 1_000_000;
const STATEMENT_TIMEOUT_MS = 3_600_000;
const GATEWAY = 'gateway-http-1';
const SAMPLE_MS = 50;

/** A text that every user has, and one that few users have. */
const SEARCHES = { common: { search: 'bench.exam' }, rare: { search: 'user-4242' } };

type Query = Readonly<Record<string, string>>;
/** A path that begins with POST gets its query as the body. */
type CallsToMake = [path: string, queries: Record<string, Query>][];

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const counts = COUNTS[size];
  const sandbox = await startSandbox({ checkAnswers: false });
  try {
    const [registry, projections] = await Promise.all(
      [REGISTRY_SCHEMA, PROJECTION_SCHEMA].map((schema) =>
        openConnection({
          url: sandbox.postgres.url,
          schema,
          name: 'bench',
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        }),
      ),
    );
    const fillSeconds = await fillTables({ registry, projections }, counts);
    const measure = (calls: CallsToMake) => measureAll(sandbox, calls, CALLS[size]);
    const lists = await measure(listsToCall(counts.users));
    const screens = await measure(screensToCall());
    const slowestMs = Math.max(
      ...[lists, screens].flatMap((all) => Object.values(all).flatMap(Object.values)),
    );
    const files = {
      orders: await readFile(sandbox, '/admin/orders/csv', fileRange(counts.orders)),
      trades: await readFile(sandbox, '/admin/trades/csv', fileRange(counts.trades)),
    };
    await Promise.all([registry.end(), projections.end()]);
    return { ...counts, fillSeconds, lists, screens, slowestMs, files };
  } finally {
    await sandbox.stop();
  }
}

async function measureAll(
  sandbox: Sandbox,
  calls: CallsToMake,
  times: number,
): Promise<Record<string, Record<string, number>>> {
  const all: Record<string, Record<string, number>> = {};
  for (const [path, queries] of calls) {
    const measured: Record<string, number> = {};
    for (const [what, query] of Object.entries(queries)) {
      measured[what] = await p95(sandbox, path, query, times);
    }
    all[path] = measured;
    console.log(`${path} p95 ms: ${JSON.stringify(measured)}`);
  }
  return all;
}

/** Requests from the console's screens that are not lists. */
function screensToCall(): CallsToMake {
  const user_id = `${HEAVY_USER}`;
  return [
    [
      '/admin/search',
      {
        number: { q: '4242' },
        email: { q: 'user-4242@bench.example' },
        order: { q: orderIdText((FIRST_NUMBER + 4_242) as OrderNumber) },
        clientOrder: { q: 'bench-4244' },
        transaction: { q: 'bench-77777' },
        address: { q: 'bench-77' },
        commonPart: { q: 'bench.exam' },
        rarePart: { q: 'user-4242' },
        code: { q: '00004D' },
        market: { q: 'btc-usdt' },
        nothing: { q: 'there is nothing like this' },
      },
    ],
    ['/admin/health', { all: {} }],
    ['/status', { all: {} }],
    ['/admin/switches', { all: {} }],
    [
      '/admin/switches/impact',
      {
        trading: { name: 'trading' },
        onePair: { name: 'trading', symbol: 'btc-usdt' },
        writes: { name: 'writes' },
        logins: { name: 'logins' },
        tier: { name: 'accounts', tier: '1' },
        deposits: { name: 'deposits' },
        withdrawals: { name: 'withdrawals' },
        oneCoin: { name: 'withdrawals', symbol: 'btc' },
      },
    ],
    ['POST /admin/fees/effect', { discount: { discount: '10' } }],
    ['/admin/reconciliation', { all: {} }],
    [
      '/admin/user/timeline',
      {
        heavy: { user_id },
        deep: { user_id, before: deepCursor() },
        oneType: { user_id, types: 'withdrawal', limit: '50' },
        light: { user_id: '4242' },
      },
    ],
  ];
}

/** In the middle of the heavy user's history. */
function deepCursor(): string {
  const at = new Date(Date.now() - (DAYS / 2) * DAY_MS).toISOString();
  return `${at.slice(0, -1)}000Z_0_0`;
}

/** Every operator list: the first page, three days in the middle, and one user. */
function listsToCall(users: number): CallsToMake {
  const start = Date.now() - (DAYS / 2) * DAY_MS;
  const dates = {
    start_date: new Date(start).toISOString(),
    end_date: new Date(start + 3 * DAY_MS).toISOString(),
  };
  const user_id = `${Math.floor(users / 2)}`;
  const isList = ({ isFile, method, permission, query, response }: Route) =>
    permission.who === 'operator' &&
    method === 'GET' &&
    isFile !== true &&
    Object.hasOwn(query.properties, 'limit') &&
    Object.hasOwn((response as { properties?: object }).properties ?? {}, 'count');
  const lists = (Object.keys(routes) as RouteName[])
    .map((name): Route => routes[name])
    .filter(isList)
    .map((route): CallsToMake[number] => {
      const { properties, required = [] } = route.query;
      const needsUser = (required as readonly string[]).includes('user_id');
      const base: Query = needsUser ? { user_id: '1' } : {};
      return [
        route.path.slice('/v2'.length),
        {
          first: base,
          ...(Object.hasOwn(properties, 'start_date') && { dates: { ...base, ...dates } }),
          ...(Object.hasOwn(properties, 'user_id') && !needsUser && { user: { user_id } }),
          ...(Object.hasOwn(properties, 'search') && SEARCHES),
        },
      ];
    });
  return [...lists, ...ledgerToCall({ days: DAYS, users })];
}

/** Uses a login session, because some lists reject keys. */
async function p95(sandbox: Sandbox, path: string, query: Query, calls: number): Promise<number> {
  const { user } = sandbox.seeded.users.admin;
  const { token } = await sandbox.admin.issueSession({ user, scopes: ['user', 'admin'] });
  const client = new RestClient({ url: sandbox.url });
  const headers = { authorization: `Bearer ${token}` };
  const post = /^POST (.*)$/.exec(path)?.[1];
  const request =
    post === undefined
      ? ({ method: 'GET', target: targetOf(path, query), headers } as const)
      : ({ method: 'POST', target: targetOf(post), body: query, headers } as const);
  const taken: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startMs = performance.now();
    const { status, text } = await client.send(request);
    taken.push(performance.now() - startMs);
    if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${text}`);
  }
  return percentile(taken, 95);
}

/** Returns a date range with a million rows, if there are that many. */
function fileRange(rows: number): Query {
  const days = Math.min(1, FILE_ROWS_MAX / rows) * DAYS;
  return { start_date: new Date(Date.now() - 3_600_000 - days * DAY_MS).toISOString() };
}

async function readFile(sandbox: Sandbox, path: string, query: Query) {
  const { pid } = sandbox.service(GATEWAY);
  const beforeMb = residentMb(pid!);
  let peakMb = beforeMb;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid!));
  }, SAMPLE_MS);
  const target = targetOf(path, query);
  const headers = signedHeaders(sandbox.seeded.users.admin, target);
  const startMs = performance.now();
  const response = await fetch(sandbox.url + target, { headers });
  if (response.status !== 202) throw new Error(`${target}: ${response.status}`);
  let [bytes, lines] = [0, 0];
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
  }
  clearInterval(timer);
  const seconds = (performance.now() - startMs) / 1_000;
  const rows = lines - 1;
  const measured = {
    rows,
    seconds: Number(seconds.toFixed(1)),
    rowsPerSecond: Math.round(rows / seconds),
    megabytes: Math.round(bytes / 1e6),
    residentMbBefore: beforeMb,
    residentMbPeak: peakMb,
  };
  console.log(`${path}: ${JSON.stringify(measured)}`);
  return measured;
}

function signedHeaders({ key, secret }: { key: string; secret: string }, target: string) {
  const expires = String(Math.floor(Date.now() / 1_000) + 60);
  const signature = sign(secret, `GET${target}${expires}`);
  return { 'api-key': key, 'api-expires': expires, 'api-signature': signature };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}
