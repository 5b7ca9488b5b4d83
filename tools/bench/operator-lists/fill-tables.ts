// Fills a running sandbox's tables for operator lists: the rows of an exchange with many users and
// 60 days of trading. The rows are consistent enough to be listed, not to be traded on.

import type { Connection } from '../../../infra/postgres/index.ts';
import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
} from '../../../infra/projections/index.ts';
import { fillLedger } from './fill-ledger.ts';

export interface RowCounts {
  readonly users: number;
  readonly orders: number;
  readonly trades: number;
}

export interface FilledConnections {
  readonly registry: Connection;
  readonly projections: Connection;
}

/** Rows are spread evenly over these days, up to an hour ago. */
export const DAYS = 60;
const SPREAD = `interval '${DAYS} days'`;
/** Above the numbers of the sandbox's own commands. */
export const FIRST_NUMBER = 10_000_000;
const PER_STATEMENT = 250_000;
/** Rows of the heavy user in each table of its timeline. */
const HEAVY_ROWS = 100_000;
const MONTHS = 3;

// $3: number of rows in the table; $4: number of users. Users are spread like hashes.
const AT = `now() - interval '1 hour' - (($3 - i) * (${SPREAD} / $3::float8))`;
const USER = '1 + (i * 7919 % $4)';
const OTHER_USER = '1 + (i * 104729 % $4)';
const SIDE = `case when i % 2 = 0 then 'buy' else 'sell' end`;
const NUMBERS = 'generate_series($1::bigint, $2::bigint) i';

const ORDERS = `
  insert into orders (number, user_id, key_id, market_id, side, type, time_in_force, self_trade,
    post_only, quick, price_ticks, size_lots, stop_ticks, maker_fee_ppm, taker_fee_ppm,
    filled_lots, filled_quote_atoms, fee_atoms, status, close_reason, client_order_id, note,
    created_at, created_frame, updated_at, updated_frame)
  select ${FIRST_NUMBER} + i, ${USER}, 0, 1 + i % 2, ${SIDE}, 'limit', 'GTC', 'cancel_newest',
    false, false, 6000000 + i % 1000, 100, 0, 1000, 2000,
    case when i % 5 < 2 then 100 else 0 end, 0, 0,
    case when i % 50 = 49 then 'new' when i % 5 < 2 then 'filled' else 'canceled' end,
    case when i % 50 = 49 then null when i % 5 < 2 then 'filled' else 'canceled_by_user' end,
    case when i % 2 = 0 then 'bench-' || i else '' end, '', ${AT}, i, ${AT}, i
  from ${NUMBERS}`;
const MINUTES = `
  insert into minutes (start, first_command)
  select date_trunc('minute', created_at), min(number) from orders where number > ${FIRST_NUMBER}
  group by 1 on conflict do nothing`;
const TRADES = `
  insert into trades (number, market_id, base_id, quote_id, taker_side, price_ticks, size_lots,
    maker_order, taker_order, maker_id, taker_id, base_atoms, quote_atoms, maker_fee_atoms,
    taker_fee_atoms, house, quick, command, frame, executed_at)
  select ${FIRST_NUMBER} + i, 1 + i % 2, 1, 2, ${SIDE}, 6000000 + i % 1000, 50,
    ${FIRST_NUMBER} + i, ${FIRST_NUMBER} + i, ${USER}, ${OTHER_USER}, 50, 300, 1, 2, false, false,
    ${FIRST_NUMBER} + i, i, ${AT}
  from ${NUMBERS}`;
const FILLS = `
  insert into fills (user_id, trade, liquidity, market_id, side, price_ticks, size_lots,
    quote_atoms, order_number, fee_asset_id, fee_atoms, quick, executed_at)
  select s.user_id, t.number, s.liquidity, t.market_id, t.taker_side, t.price_ticks, t.size_lots,
    t.quote_atoms, t.taker_order, 1, 1, false, t.executed_at
  from trades t cross join lateral (values (t.maker_id, 'maker'), (t.taker_id, 'taker'))
    s (user_id, liquidity)
  where t.number between ${FIRST_NUMBER} + $1::bigint and ${FIRST_NUMBER} + $2::bigint`;
const BALANCES = `
  insert into balances (owner, asset_id, available_atoms, held_atoms, updated_at, updated_frame)
  select i, asset, 100000000 + i, i % 7, now(), 0
  from ${NUMBERS} cross join generate_series(1, 3) asset where $3 > 0 and $4 > 0
  on conflict do nothing`;

const USERS = `
  insert into users (email, username, affiliation_code, created_at, updated_at)
  select 'user-' || i || '@bench.example', 'user-' || i, upper(lpad(to_hex(i), 6, '0')), ${AT},
    ${AT} from ${NUMBERS} where $4 > 0 on conflict do nothing`;
const LOGINS = `
  insert into logins (created_at, user_id, email_mac, outcome, ip, country, user_agent)
  select ${AT}, ${USER}, '', case when i % 10 = 0 then 'password_wrong' else 'success' end,
    '198.51.' || i % 250 || '.' || i % 199, case when i % 3 = 0 then 'AT' else 'JP' end, 'bench'
  from ${NUMBERS}`;
const SESSIONS = `
  insert into sessions (user_id, token_hash, scopes, expires_at, created_at, last_seen_at)
  select ${USER}, sha256(i::text::bytea), '{}', ${AT} + interval '7 days', ${AT}, ${AT}
  from ${NUMBERS}`;
const WALLETS = `
  insert into wallets (user_id, currency, address, network, created_at, is_valid)
  select ${USER}, 'btc', 'bench-' || i, 'btc', ${AT}, i % 100 > 0 from ${NUMBERS}
  on conflict do nothing`;
const DEPOSITS = `
  insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
    network, transaction_id, state, created_at, updated_at)
  select 'deposit', ${USER}, 1, 'btc', 8, i, 'bench-' || i % 1000, 'btc', 'bench-' || i,
    case when i % 1000 = 0 then 'pending' else 'completed' end, ${AT}, ${AT} from ${NUMBERS}`;
const WITHDRAWALS = `
  insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
    fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
    created_at, updated_at)
  select 'withdrawal', ${USER}, 1, 'btc', 8, i, 1, 'btc', 8, 1, 'bench-' || i % 1000, 'btc',
    'bench-' || i, case when i % 1000 = 0 then 'in_review' else 'completed' end, ${AT}, ${AT}
  from ${NUMBERS}`;
const CODES = `
  insert into referral_codes (code, user_id, discount, earning_rate, created_at)
  select upper(lpad(to_hex(i), 6, '0')), ${USER}, 10, 10, ${AT} from ${NUMBERS}
  on conflict do nothing`;
const AFFILIATIONS = `
  insert into affiliations (user_id, referrer_id, code, earning_rate, discount, starts_at,
    created_at)
  select i, 1, '000001', 10, 10, ${AT}, ${AT} from ${NUMBERS} where i > 1 and $4 > 0
  on conflict do nothing`;
const AUDIT = `
  insert into audit_entries (seq, at, actor_id, credential, address, act, object, subject_id, prev,
    hash, mac)
  select 1000000 + i, ${AT}, 1, 'session 1', '198.51.100.1', 'user.note', 'user ' || ${USER},
    ${USER}, sha256(i::text::bytea), sha256(i::text::bytea), sha256(i::text::bytea)
  from ${NUMBERS}`;

const POOL = `
  insert into stake_pools (name, user_id, account_id, reserve_id, asset_id, currency, scale,
    reward_asset_id, reward_currency, reward_scale, min_atoms, max_atoms, early_unstake,
    principal_slash_ppm, reward_slash_ppm, is_automatic, onboarding, state, accrued_to, created_at,
    updated_at)
  values ('bench', 1, 1, 2, 1, 'btc', 8, 1, 'btc', 8, 1, 1000000000, false, 0, 0, true, true,
    'active', current_date, now(), now())
  returning id`;
const RATE = `
  insert into stake_pool_rates (pool_id, from_day, apy_micro)
  select max(id), (now() - 2 * ${SPREAD})::date, 5000000 from stake_pools`;
const STAKES = `
  insert into stakes (pool_id, user_id, principal_atoms, state, early_unstake, principal_slash_ppm,
    reward_slash_ppm, opened_day, last_day, nav_atoms, created_at, updated_at)
  select (select max(id) from stake_pools), ${USER}, 100 + i, 'staking', false, 0, 0,
    (${AT})::date, current_date, 0, ${AT}, ${AT}
  from ${NUMBERS}`;
const APPROVALS = `
  insert into approval_requests (act, vote_power, payload, payload_hash, shown, object,
    object_version, requester_id, requester_role, requester_credential, requester_address,
    beneficiaries, needed, state, created_at, expires_at, ended_at)
  select 'user.note', 'approve.access', '{}', sha256(i::text::bytea), '[]', 'user ' || ${USER}, '',
    1, 'admin', 'session 1', '198.51.100.1', '{}', 1, 'executed', ${AT}, ${AT}, ${AT}
  from ${NUMBERS}`;
const REVEALS = `
  insert into reveals (operator_id, subject_id, fields, reason, ticket, created_at, expires_at)
  select 1, ${USER}, '{email}', 'a sufficient reason', 'T-1', ${AT}, ${AT} from ${NUMBERS}`;
const LOOK_UPS = `
  insert into data_lookups (at, operator_id, subject_id, reason)
  select ${AT}, 1, ${USER}, 'id' from ${NUMBERS}`;

/** The user with a long history, for the timeline. */
export const HEAVY_USER = 2;
const CHANGES = `
  insert into transfer_changes (deposit_request, user_id, state, changed_at, published_at,
    mailed_at)
  select i, ${USER}, 'completed', ${AT}, now(), now() from ${NUMBERS}`;
const MAILS = `
  insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, state, created_at,
    settled_at)
  select ${USER}, 'new_device', 'en', sha256(''), 'bench-' || i, 'sent', ${AT}, now()
  from ${NUMBERS}`;
/** For one user each; $4 is that user. */
const HEAVY = [
  `insert into logins (created_at, user_id, email_mac, outcome, ip, country, user_agent)
   select ${AT}, $4, '', case when i % 10 = 0 then 'password_wrong' else 'success' end,
     '198.51.100.7', 'AT', 'bench' from ${NUMBERS}`,
  `insert into sessions (user_id, token_hash, scopes, expires_at, created_at, revoked_at)
   select $4, sha256(('heavy ' || i)::bytea), '{}', ${AT}, ${AT}, ${AT} from ${NUMBERS}`,
  `insert into audit_entries (seq, at, actor_id, credential, address, act, object, subject_id,
     prev, hash, mac)
   select 100000000 + i, ${AT}, 1, 'session 1', '', 'user.note', 'user 2', $4, sha256(''),
     sha256(''), sha256('') from ${NUMBERS}`,
  `insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, state, created_at,
     settled_at)
   select $4, 'new_device', 'en', sha256(''), 'heavy-' || i, 'sent', ${AT}, now()
   from ${NUMBERS}`,
  `insert into security_changes (user_id, kind, at)
   select $4, 'password_changed', ${AT} from ${NUMBERS}`,
  `insert into transfer_changes (deposit_request, user_id, state, changed_at, published_at,
     mailed_at)
   select 1 + i % 1000, $4, 'completed', ${AT}, now(), now() from ${NUMBERS}`,
  `insert into transfer_changes (withdrawal_request, user_id, state, changed_at, published_at,
     mailed_at)
   select 1 + i % 1000, $4, 'completed', ${AT}, now(), now() from ${NUMBERS}`,
];
const BOOK = `
  insert into address_book (user_id, label, address, network, currency, active_at)
  select ${USER}, 'bench ' || i, 'bench-' || i, 'btc', 'btc', ${AT} from ${NUMBERS}`;
const KEYS = `
  insert into api_keys (user_id, name, public_key, kind, expires_at, kek_id, sealed, created_at)
  select ${USER}, 'bench', left(encode(sha256(i::text::bytea), 'hex'), 40), 'hmac', ${AT}, 1, '',
    ${AT} from ${NUMBERS} on conflict do nothing`;
const EXPORTS = `
  insert into exports (operator_id, list, format, filters, state, rows, bytes, sha256, started_at,
    ended_at)
  select 1, 'orders', 'csv', '{}', 'complete', i, i, sha256(i::text::bytea), ${AT}, ${AT}
  from ${NUMBERS} where $4 > 0`;

/** Returns the seconds that each table took. */
export async function fillTables(
  { projections, registry }: FilledConnections,
  { orders, trades, users }: RowCounts,
): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {};
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const startMs = performance.now();
    await work();
    seconds[name] = Math.round((performance.now() - startMs) / 1_000);
    console.log(`${name}: ${seconds[name]} s`);
  };
  const fill = (connection: Connection, text: string, count: number) =>
    inParts(count, (from, to) => connection.query(text, [from, to, count, users]));
  for (const connection of [registry, projections]) {
    await connection.query('set synchronous_commit = off');
    // Disables triggers and foreign keys.
    await connection.query('set session_replication_role = replica');
  }
  await timed('users', () => fill(registry, USERS, users));
  await timed('logins', () => fill(registry, LOGINS, users));
  await timed('sessions', () => fill(registry, SESSIONS, users));
  await timed('wallets', () => fill(registry, WALLETS, users));
  await timed('deposits', () => fill(registry, DEPOSITS, users));
  await timed('withdrawals', () => fill(registry, WITHDRAWALS, users));
  await timed('referral', async () => {
    await fill(registry, CODES, Math.min(users, 250_000));
    await fill(registry, AFFILIATIONS, Math.min(users, 250_000));
  });
  await timed('audit', () => fill(registry, AUDIT, users));
  await timed('changes', () => fill(registry, CHANGES, users));
  await timed('mails', () => fill(registry, MAILS, users));
  await timed('heavy user', async () => {
    for (const text of HEAVY) {
      await inParts(HEAVY_ROWS, (from, to) =>
        registry.query(text, [from, to, HEAVY_ROWS, HEAVY_USER]),
      );
    }
  });
  await timed('stakes', async () => {
    await registry.query(POOL);
    await registry.query(RATE);
    await fill(registry, STAKES, users);
  });
  // Operators query less often than users trade.
  const seldom = Math.min(users, 100_000);
  await timed('approvals', async () => {
    await fill(registry, APPROVALS, seldom);
    await fill(registry, REVEALS, seldom);
    await fill(registry, LOOK_UPS, seldom);
    await fill(registry, BOOK, seldom);
    await fill(registry, KEYS, seldom);
    await fill(registry, EXPORTS, seldom);
  });
  const month = monthOf(Date.now());
  for (let ago = 0; ago < MONTHS; ago++) await makeMonthPartitions(projections, month - ago);
  await makeOrderPartitions(projections, orders);
  await timed('orders', () => fill(projections, ORDERS, orders));
  await projections.query(MINUTES);
  await timed('trades', () => fill(projections, TRADES, trades));
  await timed('fills', () => inParts(trades, (from, to) => projections.query(FILLS, [from, to])));
  await timed('balances', () => fill(projections, BALANCES, users));
  await timed('ledger', () => fillLedger({ registry, projections }, { days: DAYS, users }));
  await timed('vacuum', async () => {
    for (const table of REGISTRY_TABLES) await registry.query(`vacuum analyze ${table}`);
    for (const table of PROJECTED_TABLES) await projections.query(`vacuum analyze ${table}`);
  });
  return seconds;
}

async function makeOrderPartitions(connection: Connection, orders: number): Promise<void> {
  const { rows } = await connection.query('select orders_per_partition as width from projection');
  const width = Number(rows[0].width);
  const last = orderPartition(FIRST_NUMBER + orders, width);
  for (let one = orderPartition(FIRST_NUMBER, width); one <= last; one++) {
    await makeOrderPartition(connection, one, width);
  }
}

const REGISTRY_TABLES = [
  'users',
  'logins',
  'sessions',
  'wallets',
  'deposit_requests',
  'withdrawal_requests',
  'referral_codes',
  'affiliations',
  'audit_entries',
  'transfer_changes',
  'mail_outbox',
  'security_changes',
  'address_book',
  'api_keys',
  'exports',
  'stakes',
  'approval_requests',
  'reveals',
  'data_lookups',
];
const PROJECTED_TABLES = ['orders', 'trades', 'fills', 'balances', 'minutes'];

async function inParts(
  count: number,
  work: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 1; from <= count; from += PER_STATEMENT) {
    await work(from, Math.min(count, from + PER_STATEMENT - 1));
  }
}
