// Lists of orders, newest first. Optional filters are null when not wanted: a statement without a
// name is planned with its values, and a filter that is null is planned away.

/** Of one user. The numbers are those of ORDERS_OF_USER. */
const OF_USER = `
  o.user_id = $1
  and ($2::bigint is null or o.market_id = $2)
  and ($3::text is null or o.side = $3)
  and ($4::text is null or o.status = $4)
  and ($5::boolean is null or ($5 and o.close_reason is null)
    or (not $5 and o.close_reason is not null))`;

/** The same numbers, with $1 as well a filter that may be null. */
const OF_ANYONE = OF_USER.replace('o.user_id = $1', '($1::bigint is null or o.user_id = $1)');

// Numbers grow with time, so that dates are turned into a range of numbers, which leaves out
// partitions and newer or older parts of an index; the dates themselves are exact.
const BETWEEN_DATES = `
  and ($6::timestamptz is null or (o.created_at >= $6 and o.number >= coalesce((
    select first_command from minutes where start >= date_trunc('minute', $6::timestamptz)
    order by start limit 1), 9223372036854775807)))
  and ($7::timestamptz is null or (o.created_at < $7 and o.number < coalesce((
    select first_command from minutes where start >= $7
    order by start limit 1), 9223372036854775807)))`;

/** $1 user, $2 market, $3 side, $4 status, $5 open, $6 from, $7 to, $8 limit, $9 offset. */
export const ORDERS_OF_USER = `
  select o.* from orders o where ${OF_USER} ${BETWEEN_DATES}
  order by o.number desc limit $8 offset $9`;

/** $1 to $7 as in ORDERS_OF_USER, $8 the most to count, null for all. */
export const COUNT_ORDERS_OF_USER = `
  select count(*) from (
    select from orders o where ${OF_USER} ${BETWEEN_DATES} limit $8
  ) counted`;

/** Of everybody: $1 to $9 as in ORDERS_OF_USER, but $1 may be null. */
export const ORDERS = `
  select o.* from orders o where ${OF_ANYONE} ${BETWEEN_DATES}
  order by o.number desc limit $8 offset $9`;

/** $1 number. */
export const ORDER_BY_NUMBER = 'select o.* from orders o where o.number = $1';

/** $1 user, $2 client order id. Several, when the id was used again after long. */
export const ORDERS_BY_CLIENT_ID = `
  select o.* from orders o where o.user_id = $1 and o.client_order_id = $2
    and o.client_order_id <> ''
  order by o.number desc limit 10`;
