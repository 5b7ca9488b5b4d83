// The queries that read the projected tables. A list is a function of its order. Optional filters
// are null when not used: issue statements without a name, so the planner knows the values and
// plans null filters away.

export interface ListStatement {
  /** `order` is a whole `order by …`. The last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the highest count; null counts all. */
  readonly count: string;
  /** The columns of the default order: unique together, and served by an index. */
  readonly defaultSort: readonly string[];
}

/** A column that no index orders: the matching rows are sorted, and there may be few of them. */
export interface SortedColumn {
  /** An expression that orders rows as the shown values do. */
  readonly by: string;
  /** The filter that a list with too many rows is asked to have. */
  readonly narrowedBy?: 'currency' | 'symbol';
}

/** Names that a caller can sort by; a text is a column that an index orders. */
export type SortColumns = Readonly<Record<string, string | SortedColumn>>;

const inMarket = (by: string): SortedColumn => ({ by, narrowedBy: 'symbol' });

/** Decimals from the integers of rows of `table`, as they are shown. */
function shownDecimals(table: string, schema: string | undefined) {
  const of = schema === undefined ? '' : `${schema}.`;
  const market = `from ${of}markets m where m.id = ${table}.market_id`;
  return {
    name: `(select m.name ${market})`,
    price: (ticks: string) =>
      `(select ${ticks} * m.tick_mantissa / power(10::numeric, m.tick_scale) ${market})`,
    size: (lots: string) => `(select ${lots} * m.lot_atoms / power(10::numeric, a.scale)
      from ${of}markets m join ${of}assets a on a.id = m.base_id where m.id = ${table}.market_id)`,
    /** In what the side `receiver` receives. */
    fee: (atoms: string, receiver: string) => `(select ${atoms} / power(10::numeric, a.scale)
      from ${of}markets m join ${of}assets a
      on a.id = case ${receiver} when 'buy' then m.base_id else m.quote_id end
      where m.id = ${table}.market_id)`,
  };
}

/** Columns of the orders table `o`. `schema` has the projected tables if it is not the default. */
export function orderSortColumns(schema?: string): SortColumns {
  const shown = shownDecimals('o', schema);
  return {
    // Numbers grow with time.
    id: 'o.number',
    created_at: 'o.number',
    updated_at: { by: 'o.updated_at' },
    symbol: { by: shown.name },
    side: { by: 'o.side' },
    type: { by: 'o.type' },
    status: { by: 'o.status' },
    size: inMarket(shown.size('o.size_lots::numeric')),
    filled: inMarket(shown.size('o.filled_lots::numeric')),
    // A market order is shown with the price 0, an order without a stop with null.
    price: inMarket(shown.price(`(case o.type when 'market' then 0 else o.price_ticks end)`)),
    stop: inMarket(shown.price('nullif(o.stop_ticks, 0)')),
    fee: inMarket(shown.fee('o.fee_atoms', 'o.side')),
  };
}

/** Columns of the trades table `t`. */
export function tradeSortColumns(schema: string): SortColumns {
  const shown = shownDecimals('t', schema);
  const makerSide = `(case t.taker_side when 'buy' then 'sell' else 'buy' end)`;
  return {
    timestamp: 't.executed_at',
    created_at: 't.executed_at',
    id: 't.executed_at',
    symbol: { by: shown.name },
    side: { by: 't.taker_side' },
    size: inMarket(shown.size('t.size_lots::numeric')),
    price: inMarket(shown.price('t.price_ticks')),
    maker_fee: inMarket(shown.fee('t.maker_fee_atoms', makerSide)),
    taker_fee: inMarket(shown.fee('t.taker_fee_atoms', 't.taker_side')),
    maker_id: { by: 't.maker_id' },
    taker_id: { by: 't.taker_id' },
  };
}

const SHOWN_FILL = shownDecimals('f', undefined);

/** Columns of the fills table `f`. */
export const FILL_SORT_COLUMNS: SortColumns = {
  timestamp: 'f.executed_at',
  created_at: 'f.executed_at',
  id: 'f.executed_at',
  symbol: { by: SHOWN_FILL.name },
  side: { by: 'f.side' },
  size: inMarket(SHOWN_FILL.size('f.size_lots::numeric')),
  price: inMarket(SHOWN_FILL.price('f.price_ticks')),
  fee: inMarket(`(f.fee_atoms
    / power(10::numeric, (select a.scale from assets a where a.id = f.fee_asset_id)))`),
};

/** The rows of a list in its default order, newest first. */
export function newestFirst({ defaultSort, rows }: ListStatement): string {
  return rows(`order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`);
}

// Order numbers grow with time. The dates become a range of numbers, which excludes partitions and
// parts of an index; the dates themselves are exact.
const MATCHING_ORDERS = `
  from orders o where o.user_id = $1
  and ($2::bigint is null or o.market_id = $2)
  and ($3::text is null or o.side = $3)
  and ($4::text is null or o.status = $4)
  and ($5::boolean is null or ($5 and o.close_reason is null)
    or (not $5 and o.close_reason is not null))
  and ($6::timestamptz is null or (o.created_at >= $6 and o.number >= coalesce((
    select first_command from minutes where start >= date_trunc('minute', $6::timestamptz)
    order by start limit 1), 9223372036854775807)))
  and ($7::timestamptz is null or (o.created_at < $7 and o.number < coalesce((
    select first_command from minutes where start >= $7
    order by start limit 1), 9223372036854775807)))`;

/** $1 user, $2 market, $3 side, $4 status, $5 open, $6 from, $7 to. `o` is the table of orders. */
export const ordersOfUser: ListStatement = {
  rows: (order) => `select o.* ${MATCHING_ORDERS} ${order} limit $8 offset $9`,
  count: `select count(*) from (select ${MATCHING_ORDERS} limit $8) counted`,
  defaultSort: ['o.number'],
};

/** $1 user. A row if the user has an open order. */
export const OPEN_ORDER_OF_USER =
  'select from orders o where o.user_id = $1 and o.close_reason is null limit 1';

/** $1 number. */
export const ORDER_BY_NUMBER = 'select o.* from orders o where o.number = $1';

/** $1 user, $2 client order id. Several rows if a client used the id again much later. */
export const ORDERS_BY_CLIENT_ID = `
  select o.* from orders o where o.user_id = $1 and o.client_order_id = $2
    and o.client_order_id <> ''
  order by o.number desc limit 10`;

const MATCHING_FILLS = `
  from fills f where f.user_id = $1
  and ($2::bigint is null or f.market_id = $2)
  and ($3::timestamptz is null or f.executed_at >= $3)
  and ($4::timestamptz is null or f.executed_at < $4)`;

/** $1 user, $2 market, $3 from, $4 to. `f` is the table of fills. */
export const fillsOfUser: ListStatement = {
  rows: (order) => `select f.* ${MATCHING_FILLS} ${order} limit $5 offset $6`,
  count: `select count(*) from (select ${MATCHING_FILLS} limit $5) counted`,
  defaultSort: ['f.executed_at', 'f.trade', 'f.liquidity'],
};

// Direct trades do not pass the book and have no orders.
const MATCHING_TRADES = `
  from trades t where t.taker_order > 0
  and ($1::bigint is null or t.market_id = $1)
  and ($2::text is null or t.taker_side = $2)
  and ($3::timestamptz is null or t.executed_at >= $3)
  and ($4::timestamptz is null or t.executed_at < $4)`;

/** Trades of all users: $1 market, $2 the taker's side, $3 from, $4 to. `t` is the table. */
export const publicTrades: ListStatement = {
  rows: (order) =>
    `select t.number, t.market_id, t.taker_side, t.price_ticks, t.size_lots, t.executed_at
     ${MATCHING_TRADES} ${order} limit $5 offset $6`,
  count: `select count(*) from (select ${MATCHING_TRADES} limit $5) counted`,
  defaultSort: ['t.executed_at', 't.number'],
};

/** $1 user. */
export const BALANCES_OF_USER = `
  select b.* from balances b where b.owner = $1 order by b.asset_id`;
