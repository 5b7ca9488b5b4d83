// Trading fees of each past day, by pair, side, tier and rate: added up once from the trades, in
// order of days, and stored. Emptied tables are rebuilt identically.

import { DAY_MS, HOUR_MS } from '../../../core/market-data/index.ts';
import { assertPlainName, type Connection, inTransaction } from '../../../infra/postgres/index.ts';

/** The window of an effect. */
export const EFFECT_DAYS = 30;
/** Earlier days are not added up, because no effect needs them. */
const DAYS_BACK = EFFECT_DAYS + 1;

export interface CloseOptions {
  readonly projectionSchema: string;
}

/**
 * Closes the next day if the tables have passed its end. Returns whether it did. Each statement
 * adds up an hour.
 */
export function closeFeeDay(
  connection: Connection,
  { projectionSchema: schema }: CloseOptions,
): Promise<boolean> {
  assertPlainName(schema);
  return inTransaction(connection, async () => {
    // One process at a time; readers do not wait.
    await connection.query('lock table fee_days_closed in share row exclusive mode');
    const { rows } = await connection.query(NEXT_DAY(schema), [DAYS_BACK]);
    if (rows.length === 0) return false;
    const day: string = rows[0].day;
    const startMs = Date.parse(day);
    for (let ms = startMs; ms < startMs + DAY_MS; ms += HOUR_MS) {
      await connection.query(SUM_HOUR(schema), [day, new Date(ms), new Date(ms + HOUR_MS)]);
    }
    await connection.query(COUNT_USERS, [day, EFFECT_DAYS]);
    await connection.query('insert into fee_days_closed (day) values ($1)', [day]);
    return true;
  });
}

/**
 * $1 the days to go back. Selects the day after the last closed one, if the tables have passed it.
 */
const NEXT_DAY = (schema: string) => `
  select next.day::text as day
  from (select (projected_to at time zone 'UTC')::date as today from ${schema}.projection) p
  cross join lateral (
    select greatest((select max(day) + 1 from fee_days_closed), p.today - $1::int) as day
  ) next
  where next.day < p.today`;

// $1 the day, $2 and $3 the hour. Subqueries look up orders one by one, because the planner must
// never read all orders for the trades of an hour.
const SUM_HOUR = (schema: string) => `
  with sides as (
    select t.market_id, t.base_atoms, t.quote_atoms, s.*
    from ${schema}.trades t
    cross join lateral (values
      ('maker', t.maker_id, t.maker_order, case t.taker_side when 'buy' then 'sell' else 'buy' end,
        t.maker_fee_atoms),
      ('taker', t.taker_id, t.taker_order, t.taker_side, t.taker_fee_atoms)
    ) s(liquidity, user_id, order_number, side, fee_atoms)
    where t.executed_at >= $2 and t.executed_at < $3
  ), rated as materialized (
    select s.*, s.order_number = 0 as is_direct,
      case when s.order_number = 0 then 0 else coalesce(f.tier, 1) end as tier,
      coalesce(f.discount_ppm, 0) as discount_ppm, coalesce(o.fee_ppm, 0) as fee_ppm
    from sides s
    left join lateral (
      select case s.liquidity when 'maker' then o.maker_fee_ppm else o.taker_fee_ppm end as fee_ppm
      from ${schema}.orders o where o.number = s.order_number limit 1
    ) o on true
    left join lateral (
      select c.tier, c.discount_ppm from ${schema}.user_fee_changes c
      where c.user_id = s.user_id and c.command < s.order_number
      order by c.command desc limit 1
    ) f on true
  ), users as (
    insert into fee_users as u (market_id, tier, user_id, last_day, own_day)
    select market_id, tier, user_id, $1::date,
      case when max(discount_ppm) > 0 then $1::date end
    from rated where not is_direct group by market_id, tier, user_id
    on conflict (market_id, tier, user_id) do update
    set last_day = excluded.last_day, own_day = coalesce(excluded.own_day, u.own_day)
  )
  insert into fee_days as d (day, market_id, liquidity, side, is_direct, tier, discount_ppm,
    fee_ppm, fills, received_atoms, quote_atoms, fee_atoms)
  select $1::date, market_id, liquidity, side, is_direct, tier, discount_ppm, fee_ppm, count(*),
    sum(case side when 'buy' then base_atoms else quote_atoms end), sum(quote_atoms),
    sum(fee_atoms)
  from rated
  group by market_id, liquidity, side, is_direct, tier, discount_ppm, fee_ppm
  on conflict (day, market_id, liquidity, side, is_direct, tier, discount_ppm, fee_ppm) do update
  set fills = d.fills + excluded.fills,
    received_atoms = d.received_atoms + excluded.received_atoms,
    quote_atoms = d.quote_atoms + excluded.quote_atoms,
    fee_atoms = d.fee_atoms + excluded.fee_atoms`;

// $1 the day, $2 the length of the window that ends with it.
const COUNT_USERS = `
  insert into fee_day_users (day, market_id, tier, users, own_users)
  select $1::date, market_id, tier, count(*), count(*) filter (where own_day > $1::date - $2::int)
  from fee_users where last_day > $1::date - $2::int group by market_id, tier`;
