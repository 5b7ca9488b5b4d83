// Lists of trades and candles, newest first. Optional filters are null when not wanted.

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

/** The last trades of a market that were made in it: $1 market, $2 limit. */
export const LAST_TRADES_OF_MARKET = `
  select t.* from trades t where t.market_id = $1 and t.taker_order > 0
  order by t.executed_at desc, t.number desc limit $2`;

/** Of everybody: $1 market, $2 taker's side, $3 from, $4 to, $5 limit, $6 offset. */
export const TRADES = `
  select t.* from trades t
  where ($1::bigint is null or t.market_id = $1)
    and ($2::text is null or t.taker_side = $2)
    and ($3::timestamptz is null or t.executed_at >= $3)
    and ($4::timestamptz is null or t.executed_at < $4)
  order by t.executed_at desc, t.number desc limit $5 offset $6`;

/** Of one user, with both sides: the numbers are those of FILLS_OF_USER. */
export const TRADES_OF_USER = `
  select t.* from fills f
  join trades t on t.executed_at = f.executed_at and t.number = f.trade
  where f.user_id = $1
    and ($2::bigint is null or f.market_id = $2)
    and ($3::timestamptz is null or f.executed_at >= $3)
    and ($4::timestamptz is null or f.executed_at < $4)
    -- Who traded with himself has two fills of one trade.
    and (f.liquidity = 'taker' or t.maker_id <> t.taker_id)
  order by f.executed_at desc, f.trade desc limit $5 offset $6`;

/** $1 market, $2 resolution, $3 from, $4 to; oldest first. */
export const CANDLES_OF_MARKET = `
  select c.* from candles c
  where c.market_id = $1 and c.resolution = $2 and c.start >= $3 and c.start < $4
  order by c.start`;

/** Of all markets: $1 resolution, $2 from, $3 to. */
export const CANDLES = `
  select c.* from markets m cross join lateral (
    select * from candles c
    where c.market_id = m.id and c.resolution = $1 and c.start >= $2 and c.start < $3
    order by c.start
  ) c order by m.id, c.start`;
