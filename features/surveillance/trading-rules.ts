// Rules for orders: how often a safeguard ended orders, and how many are canceled unfilled. They
// count within clock windows, so the time of a run does not matter.

import { MINUTE_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { assertPlainName, idOf } from '../../infra/postgres/index.ts';
import {
  IDS_MAX,
  type ParameterRange,
  type Parameters,
  type Rule,
  type RuleContext,
  SIGNS_MAX,
  type Sign,
  type Span,
  scoreOf,
} from './rule.ts';

const HITS: ParameterRange = { min: 1, max: 1_000_000, looser: 'up' };
const QUIET: ParameterRange = { min: 0, max: 8_760, looser: 'up' };
const windowMs = ({ window_minutes }: Parameters) => window_minutes * MINUTE_MS;

export const PRICE_BAND: Rule = {
  name: 'price_band',
  parameters: {
    window_minutes: { min: 1, max: 1_440, looser: 'down' },
    hits_min: HITS,
    quiet_hours: QUIET,
  },
  windowMs,
  findSigns: (context, parameters, span) =>
    findPrevented(context, parameters, { ...span, reason: 'price_outside_band' }),
};

export const SELF_TRADE: Rule = {
  name: 'self_trade',
  parameters: PRICE_BAND.parameters,
  windowMs,
  findSigns: (context, parameters, span) =>
    findPrevented(context, parameters, { ...span, reason: 'self_trade_prevented' }),
};

// A group counts as one, under its first user.
const PREVENTED = (schema: string) => `
  select coalesce(f.user_id, p.user_id) as user_id, coalesce(g.group_id, 0) as group_id,
    m.name as market, date_bin($1::interval, p.ended_at, 'epoch') as begun_at, count(*) as hits,
    (array_agg(p.number order by p.number))[1:${IDS_MAX}] as orders,
    (array_agg(distinct p.user_id))[1:${IDS_MAX}] as users
  from ${schema}.prevented_orders p
  join ${schema}.markets m on m.id = p.market_id
  left join ${schema}.user_groups g on g.user_id = p.user_id and g.group_id <> 0
  left join (
    select group_id, min(user_id) as user_id from ${schema}.user_groups where group_id <> 0
    group by group_id
  ) f on f.group_id = g.group_id
  where p.ended_at >= $2 and p.ended_at < $3 and p.reason = $4
  group by 1, 2, 3, 4 having count(*) >= $5
  order by count(*) desc, 1, 3, 4 limit ${SIGNS_MAX}`;

async function findPrevented(
  { projectionSchema, statements }: RuleContext,
  parameters: Parameters,
  { from, reason, to }: Span & { readonly reason: string },
): Promise<Sign[]> {
  assertPlainName(projectionSchema);
  const { hits_min, window_minutes } = parameters;
  const values = [`${window_minutes} minutes`, from, to, reason, hits_min];
  const { rows } = await statements.query(PREVENTED(projectionSchema), values);
  return rows.map((row) => {
    const hits = Number(row.hits);
    return {
      ...windowOf(row, window_minutes),
      score: scoreOf(hits, hits_min),
      content: {
        ...boundsOf(row, window_minutes),
        hits,
        limit: hits_min,
        group: Number(row.group_id),
        users: row.users.map(Number),
        orders: row.orders.map(Number),
      },
    };
  });
}

export const CANCEL_RATIO: Rule = {
  name: 'cancel_ratio',
  parameters: {
    // A run reads two windows of orders, so longer ones would cost too much.
    window_minutes: { min: 1, max: 60, looser: 'down' },
    orders_min: { min: 10, max: 1_000_000, looser: 'up' },
    percent_min: { min: 1, max: 100, looser: 'up' },
    quiet_hours: QUIET,
  },
  windowMs,
  findSigns: findCanceled,
};

/** Command numbers; an order has one of them. */
const NUMBERS = (schema: string) => `
  select coalesce((select first_command from ${schema}.minutes where start >= $1
      order by start limit 1), ${Number.MAX_SAFE_INTEGER}) as first,
    coalesce((select first_command from ${schema}.minutes where start >= $2
      order by start limit 1), ${Number.MAX_SAFE_INTEGER}) as beyond`;

// By number, which is indexed and in order of time. Ignores house orders, which follow other
// markets and deceive no user without the operator.
const CANCELED = `close_reason in ('canceled_by_user', 'canceled_by_dead_man_switch')
  and filled_lots = 0`;
const COUNTED = (schema: string) => `
  select c.*, m.name as market, array(
      select o.number from ${schema}.orders o
      where o.user_id = c.user_id and o.market_id = c.market_id
        and o.number between c.first_number and c.last_number
        and o.created_at >= c.begun_at and o.created_at < c.begun_at + $1::interval
        and o.${CANCELED.replace('and filled', 'and o.filled')}
      order by o.number limit ${IDS_MAX}
    ) as orders
  from (
    select o.user_id, o.market_id, date_bin($1::interval, o.created_at, 'epoch') as begun_at,
      count(*) as placed, count(*) filter (where ${CANCELED}) as canceled,
      min(o.number) as first_number, max(o.number) as last_number
    from ${schema}.orders o
    where o.number >= $2 and o.number < $3 and o.created_at >= $4 and o.created_at < $5
    group by 1, 2, 3
    having count(*) >= $6 and count(*) filter (where ${CANCELED}) * 100 >= count(*) * $7::bigint
  ) c
  join ${schema}.markets m on m.id = c.market_id
  where not exists (
    select from ${schema}.user_groups g where g.user_id = c.user_id and g.house)
  order by c.canceled desc, c.user_id, m.name, c.begun_at limit ${SIGNS_MAX}`;

async function findCanceled(
  { projectionSchema, statements }: RuleContext,
  parameters: Parameters,
  { from, to }: Span,
): Promise<Sign[]> {
  assertPlainName(projectionSchema);
  const { orders_min, percent_min, window_minutes } = parameters;
  const numbers = await statements.query(NUMBERS(projectionSchema), [from, to]);
  const [{ beyond, first }] = numbers.rows;
  const values = [`${window_minutes} minutes`, first, beyond, from, to, orders_min, percent_min];
  const { rows } = await statements.query(COUNTED(projectionSchema), values);
  const limit = Math.ceil((orders_min * percent_min) / 100);
  return rows.map((row) => {
    const [canceled, placed] = [Number(row.canceled), Number(row.placed)];
    return {
      ...windowOf(row, window_minutes),
      score: scoreOf(canceled, limit),
      content: {
        ...boundsOf(row, window_minutes),
        placed,
        canceled,
        percent: Math.floor((canceled * 100) / placed),
        limit: orders_min,
        limit_percent: percent_min,
        orders: row.orders.map(Number),
      },
    };
  });
}

interface WindowRow {
  readonly user_id: string;
  readonly market: string;
  readonly begun_at: Date;
}

function windowOf({ begun_at, market, user_id }: WindowRow, windowMinutes: number) {
  return {
    user: idOf<UserId>(user_id),
    object: `market ${market}`,
    key: `${begun_at.toISOString()} ${windowMinutes}`,
    begunAt: begun_at,
  };
}

function boundsOf({ begun_at, market }: WindowRow, windowMinutes: number) {
  const end = new Date(begun_at.getTime() + windowMinutes * MINUTE_MS);
  return { market, from: begun_at.toISOString(), to: end.toISOString() };
}
