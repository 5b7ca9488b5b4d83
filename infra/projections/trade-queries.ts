// Lists of trades, newest first. A filter that is null does not apply.

/** $1 user, $2 market, $3 from, $4 to, $5 limit, $6 offset. */
export const FILLS_OF_USER = `
  select f.* from fills f where f.user_id = $1
    and ($2::bigint is null or f.market_id = $2)
    and ($3::timestamptz is null or f.executed_at >= $3)
    and ($4::timestamptz is null or f.executed_at < $4)
  order by f.executed_at desc, f.trade desc limit $5 offset $6`;

/** $1 to $4 as in FILLS_OF_USER, $5 the most to count, null for all. */
export const COUNT_FILLS_OF_USER = `
  select count(*) from (
    select from fills f where f.user_id = $1
      and ($2::bigint is null or f.market_id = $2)
      and ($3::timestamptz is null or f.executed_at >= $3)
      and ($4::timestamptz is null or f.executed_at < $4)
    limit $5
  ) counted`;

/** Of everybody: $1 market, $2 taker's side, $3 from, $4 to, $5 limit, $6 offset. */
export const TRADES = `
  select t.* from trades t
  where ($1::bigint is null or t.market_id = $1)
    and ($2::text is null or t.taker_side = $2)
    and ($3::timestamptz is null or t.executed_at >= $3)
    and ($4::timestamptz is null or t.executed_at < $4)
  order by t.executed_at desc, t.number desc limit $5 offset $6`;
