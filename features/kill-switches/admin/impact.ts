// Counts the orders, users, requests and money that a switch would affect, from indexes. Operators
// see the numbers before they pull the switch; the stop records the same ones.

import { type Atoms, decimalFromAtoms, type MarketId } from '../../../core/money/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import { findMarket } from '../../listings/admin/index.ts';
import { conservativePrices } from '../../market-data/index.ts';
import { readPolicyCurrency } from '../../payments/index.ts';
import type { SwitchService } from '../api/switches.ts';
import { ACCOUNTS_MAX, membersOf } from './account-stops.ts';
import { type AccountSet, accountSetsOf, type SwitchTarget } from './switch-target.ts';

export interface ImpactReader {
  readonly connection: Statements;
  readonly exchange: { readonly projectionSchema: string };
  readonly nowMs: number;
}

/** Decimals as texts. */
export type Impact = {
  /** Open orders. */
  readonly orders: number;
  readonly users: number;
  /** Requests, commands or emails in progress. */
  readonly waiting: number;
  readonly money: readonly { readonly currency: string; readonly amount: string }[];
  /** Value of the priced currencies, in the threshold currency. */
  readonly value: string;
  readonly value_currency: string;
  /** Currencies without a price. */
  readonly unpriced: readonly string[];
  /** `at_most`: includes filled parts of orders; `without_money`: too many accounts to add up. */
  readonly precision: 'exact' | 'at_most' | 'without_money';
};

interface Counted {
  readonly orders?: number;
  readonly users: number;
  readonly waiting?: number;
  readonly money: readonly MoneyRow[];
  readonly precision?: Impact['precision'];
}

interface MoneyRow {
  readonly currency: string;
  readonly scale: number;
  readonly atoms: bigint;
}

/** Up to this many orders, their rows are read, which have the filled amounts. */
const ORDERS_READ_MAX = 5_000;
/** Up to this many accounts, their balances are read. */
const BALANCES_READ_MAX = 5_000;

/** `checkTarget` must have accepted the target. */
export async function readImpact(reader: ImpactReader, target: SwitchTarget): Promise<Impact> {
  const counted = await count(reader, target);
  const { money, orders = 0, precision = 'exact', users, waiting = 0 } = counted;
  return { orders, users, waiting, ...(await valued(reader, money)), precision };
}

async function count(reader: ImpactReader, target: SwitchTarget): Promise<Counted> {
  const { connection } = reader;
  switch (target.name) {
    case 'trading':
      return countOrders(reader, target.symbol);
    case 'deposits':
    case 'withdrawals':
      return countRequests(connection, target.name, target.symbol);
    case 'writes': {
      const orders = await sumOrders(reader, null, 'size_lots');
      const requests = await countRequests(connection, 'withdrawals', undefined);
      const { users } = await countSessions(reader);
      const money = [...orders.money, ...requests.money];
      return { ...orders, ...requests, users, money, precision: 'at_most' };
    }
    case 'logins':
      return countSessions(reader);
    case 'accounts':
      return countAccounts(reader, accountSetsOf(target));
    case 'intake':
      return countIntake(reader, target.service as SwitchService);
  }
}

/** Reads only the index, unless there are few orders. */
async function countOrders(reader: ImpactReader, symbol: string | undefined): Promise<Counted> {
  const market = symbol === undefined ? null : (await findMarket(reader, symbol))!.market;
  const all = await sumOrders(reader, market, 'size_lots');
  const isExact = all.orders <= ORDERS_READ_MAX;
  const { money, orders } = isExact
    ? await sumOrders(reader, market, '(size_lots - filled_lots)')
    : all;
  const { rows } = await reader.connection.query(
    `select count(distinct user_id)::int as users ${openOrders(reader)}`,
    [market],
  );
  return { orders, users: rows[0].users, money, precision: isExact ? 'exact' : 'at_most' };
}

function openOrders({ exchange: { projectionSchema: schema } }: ImpactReader): string {
  assertPlainName(schema);
  return `from ${schema}.orders where close_reason is null
    and ($1::bigint is null or market_id = $1)`;
}

/** Notionals fit into bigint, because the engine allows no larger order. */
async function sumOrders(reader: ImpactReader, market: MarketId | null, lots: string) {
  const { projectionSchema: schema } = reader.exchange;
  const { rows } = await reader.connection.query(
    `select a.symbol as currency, a.scale, sum(o.orders)::int as orders,
       sum(h.atoms)::text as atoms
     from (
       select market_id, side, count(*) as orders, sum(${lots}) as lots,
         sum(${lots} * price_ticks) as tick_lots
       ${openOrders(reader)} group by market_id, side
     ) o join ${schema}.markets m on m.id = o.market_id
     cross join lateral (
       select case when o.side = 'buy' then m.quote_id else m.base_id end as asset_id,
         case when o.side = 'buy' then o.tick_lots * m.tick_lot_atoms else o.lots * m.lot_atoms end
           as atoms
     ) h join ${schema}.assets a on a.id = h.asset_id
     group by a.symbol, a.scale`,
    [market],
  );
  const orders = rows.reduce((sum, row) => sum + row.orders, 0);
  return { orders, money: rows.map(moneyRow) };
}

// Must match the conditions of the indexes.
const IN_PROGRESS = {
  deposits: `from deposit_requests r
    where r.kind = 'deposit' and r.state in ('pending', 'in_review', 'crediting')`,
  withdrawals: `from withdrawal_requests r where r.kind = 'withdrawal' and r.state not in
    ('completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired')`,
};

async function countRequests(
  statements: Statements,
  name: keyof typeof IN_PROGRESS,
  symbol: string | undefined,
): Promise<Counted> {
  const matching = `${IN_PROGRESS[name]} and ($1::text is null or r.currency = $1)`;
  const { rows } = await statements.query(
    `select r.currency, r.scale, count(*)::int as requests, sum(r.amount_atoms)::text as atoms
     ${matching} group by r.currency, r.scale`,
    [symbol ?? null],
  );
  const people = await statements.query(
    `select count(distinct r.user_id)::int as users ${matching}`,
    [symbol ?? null],
  );
  const waiting = rows.reduce((sum, { requests }) => sum + requests, 0);
  return { waiting, users: people.rows[0].users, money: rows.map(moneyRow) };
}

/** Counts users with a live session. */
async function countSessions({ connection, nowMs }: ImpactReader): Promise<Counted> {
  const { rows } = await connection.query(
    `select count(distinct user_id)::int as users from sessions
     where least(revoked_at, expires_at) > $1`,
    [new Date(nowMs)],
  );
  return { users: rows[0].users, money: [] };
}

async function countAccounts(
  { connection, exchange }: ImpactReader,
  sets: readonly AccountSet[],
): Promise<Counted> {
  const { projectionSchema: schema } = exchange;
  assertPlainName(schema);
  const users: number[] = [];
  for (const { id, kind } of sets) {
    const { rows } = await connection.query(`select u.id ${membersOf(kind)} limit $2`, [
      id,
      BALANCES_READ_MAX + 1,
    ]);
    users.push(...rows.map((row) => Number(row.id)));
    if (users.length > BALANCES_READ_MAX) return countMembers(connection, sets);
  }
  const orders = await connection.query(
    `select count(*)::int as orders from ${schema}.orders
     where close_reason is null and user_id = any($1::bigint[])`,
    [users],
  );
  const { rows } = await connection.query(
    `select a.symbol as currency, a.scale, sum(b.available_atoms + b.held_atoms)::text as atoms
     from ${schema}.balances b join ${schema}.assets a on a.id = b.asset_id
     where b.owner = any($1::bigint[]) group by a.symbol, a.scale`,
    [users],
  );
  return { orders: orders.rows[0].orders, users: users.length, money: rows.map(moneyRow) };
}

/** For a large group or tier, counts up to one more than a switch can freeze. */
async function countMembers(statements: Statements, sets: readonly AccountSet[]): Promise<Counted> {
  let users = 0;
  for (const { id, kind } of sets) {
    const members = {
      users: 'users where id = $1',
      group: 'engine_user_settings where group_id = $1 and group_id <> 0',
      tier: 'users where verification_level = $1',
    };
    const { rows } = await statements.query(
      `select count(*)::int as users from (select from ${members[kind]} limit $2) counted`,
      [id, ACCOUNTS_MAX + 1],
    );
    users += rows[0].users;
  }
  return { users, money: [], precision: 'without_money' };
}

async function countIntake(reader: ImpactReader, service: SwitchService): Promise<Counted> {
  if (service === 'gateway-http' || service === 'gateway-websocket') return countSessions(reader);
  const waiting = {
    'outbox-dispatcher': `select (select count(*) from outbox where state = 'waiting')
      + (select count(*) from engine_commands where state = 'waiting') as waiting`,
    notifier: `select count(*) as waiting from mail_outbox
      where state in ('waiting', 'sending', 'deferred')`,
    // Final blocks are recorded later; announced deposits are still pending.
    'chain-watcher': `select count(*) as waiting from custody_deposits where state = 'pending'`,
  };
  const { rows } = await reader.connection.query(waiting[service]);
  return { users: 0, waiting: Number(rows[0].waiting), money: [] };
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the statements above.
function moneyRow({ atoms, currency, scale }: any): MoneyRow {
  return { currency, scale: Number(scale), atoms: BigInt(atoms) };
}

async function valued(
  { connection, exchange, nowMs }: ImpactReader,
  rows: readonly MoneyRow[],
): Promise<Pick<Impact, 'money' | 'unpriced' | 'value' | 'value_currency'>> {
  const { projectionSchema } = exchange;
  const sums = new Map<string, MoneyRow>();
  for (const row of rows) {
    const atoms = row.atoms + (sums.get(row.currency)?.atoms ?? 0n);
    if (atoms > 0n) sums.set(row.currency, { ...row, atoms });
  }
  const money = [...sums.values()]
    .map(({ atoms, currency, scale }) => ({
      currency,
      amount: decimalFromAtoms(atoms as Atoms, scale),
    }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
  const quote = await readPolicyCurrency(connection);
  const currencies = money.map(({ currency }) => currency);
  const question = { quote, projectionSchema, currencies, nowMs };
  const read = money.length === 0 ? {} : await conservativePrices(connection, question);
  const prices: Record<string, string | undefined> = { ...read, [quote]: '1' };
  const isPriced = ({ currency }: { readonly currency: string }) =>
    Number(prices[currency] ?? 0) > 0;
  const priced = money.filter(isPriced);
  const total = await connection.query(
    `select trim_scale(coalesce(sum(amount * price), 0))::text as value
     from unnest($1::numeric[], $2::numeric[]) as m(amount, price)`,
    [priced.map(({ amount }) => amount), priced.map(({ currency }) => prices[currency])],
  );
  return {
    money,
    value: total.rows[0].value,
    value_currency: quote,
    unpriced: money.filter((one) => !isPriced(one)).map(({ currency }) => currency),
  };
}
