// Orders and trades of a period, for records that a regulator or an accountant asks for.

import { orderIdText } from '../../../core/messages/index.ts';
import {
  type Atoms,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  type LotSize,
  type Lots,
  type OrderNumber,
  type TickSize,
  type Ticks,
} from '../../../core/money/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import { timeText } from '../../../protocol/wire/index.ts';
import type { Period } from './books.ts';

/** Currencies and markets, by ID. */
export interface Listings {
  readonly currencies: ReadonlyMap<number, Currency>;
  readonly markets: ReadonlyMap<number, Market>;
}

export interface Currency {
  readonly symbol: string;
  readonly scale: number;
}

interface Market {
  readonly name: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly lot: LotSize;
  readonly tick: TickSize;
}

export async function readListings(statements: Statements, schema: string): Promise<Listings> {
  assertPlainName(schema);
  const assets = await statements.query(`select id, symbol, scale from ${schema}.assets`);
  const currencies = new Map<number, Currency>(
    assets.rows.map((row) => [Number(row.id), { symbol: row.symbol, scale: Number(row.scale) }]),
  );
  const { rows } = await statements.query(
    `select id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale
     from ${schema}.markets`,
  );
  const markets = rows.map((row): [number, Market] => {
    const base = currencies.get(Number(row.base_id))!;
    const lot = { atoms: BigInt(row.lot_atoms) as Atoms, scale: base.scale };
    const tick = { mantissa: Number(row.tick_mantissa), scale: Number(row.tick_scale) };
    const quote = currencies.get(Number(row.quote_id))!;
    return [Number(row.id), { name: row.name, base, quote, lot, tick }];
  });
  return { currencies, markets: new Map(markets) };
}

/** Rows read at a time. */
const BATCH = 5_000;

export const ORDER_COLUMNS = [
  'order_id',
  'sequence_number',
  'client_order_id',
  'user_id',
  'api_key_id',
  'market',
  'side',
  'type',
  'time_in_force',
  'post_only',
  'self_trade_prevention',
  'limit_price',
  'stop_price',
  'price_currency',
  'initial_quantity',
  'filled_quantity',
  'remaining_quantity',
  'quantity_currency',
  'filled_value',
  'fee',
  'fee_currency',
  'status',
  'close_reason',
  'received_at',
  'triggered_at',
  'updated_at',
  'received_frame',
  'updated_frame',
] as const;

/** Yields every order that was open at some time in the period, by number, as it is now. */
export async function* readOrderRecords(
  statements: Statements,
  schema: string,
  { from, to }: Period,
  { markets }: Listings,
): AsyncGenerator<string[][], void> {
  assertPlainName(schema);
  for (let last = 0; ; ) {
    const { rows } = await statements.query(ORDERS(schema), [last, from, to, BATCH]);
    if (rows.length === 0) return;
    last = Number(rows[rows.length - 1].number);
    yield rows.map((row) => orderCells(row, markets.get(Number(row.market_id))!));
  }
}

const ORDERS = (schema: string) => `
  select * from ${schema}.orders
  where number > $1 and created_at < $3 and (close_reason is null or updated_at >= $2)
  order by number limit $4`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function orderCells(row: any, market: Market): string[] {
  const { base, quote } = market;
  const received = row.side === 'buy' ? base : quote;
  const lots = (count: number) => decimalFromLots(count as Lots, market.lot);
  const price = (ticks: string) =>
    Number(ticks) === 0 ? '' : decimalFromTicks(Number(ticks) as Ticks, market.tick);
  const number = Number(row.number) as OrderNumber;
  return [
    orderIdText(number),
    `${number}`,
    row.client_order_id,
    row.user_id,
    Number(row.key_id) === 0 ? '' : row.key_id,
    market.name,
    row.side,
    Number(row.stop_ticks) === 0 ? row.type : `stop_${row.type}`,
    row.time_in_force,
    `${row.post_only}`,
    row.self_trade,
    row.type === 'market' ? '' : price(row.price_ticks),
    price(row.stop_ticks),
    quote.symbol,
    lots(Number(row.size_lots)),
    lots(Number(row.filled_lots)),
    lots(Number(row.size_lots) - Number(row.filled_lots)),
    base.symbol,
    decimalFromAtoms(BigInt(row.filled_quote_atoms) as Atoms, quote.scale),
    decimalFromAtoms(BigInt(row.fee_atoms) as Atoms, received.scale),
    received.symbol,
    row.status,
    row.close_reason ?? '',
    timeText(row.created_at.getTime()),
    row.triggered_at === null ? '' : timeText(row.triggered_at.getTime()),
    timeText(row.updated_at.getTime()),
    row.created_frame,
    row.updated_frame,
  ];
}

export const TRADE_COLUMNS = [
  'trade_id',
  'executed_at',
  'market',
  'price',
  'price_currency',
  'quantity',
  'quantity_currency',
  'value',
  'aggressor_side',
  'buyer_user_id',
  'buyer_order_id',
  'buyer_liquidity',
  'buyer_fee',
  'buyer_fee_currency',
  'seller_user_id',
  'seller_order_id',
  'seller_liquidity',
  'seller_fee',
  'seller_fee_currency',
  'mode',
  'house',
  'command',
  'frame',
] as const;

/** Yields the trades of the period in order of time. */
export async function* readTradeRecords(
  statements: Statements,
  schema: string,
  { from, to }: Period,
  { markets }: Listings,
): AsyncGenerator<string[][], void> {
  assertPlainName(schema);
  let [at, last] = [from, 0];
  for (;;) {
    const { rows } = await statements.query(TRADES(schema), [at, last, to, BATCH]);
    if (rows.length === 0) return;
    const end = rows[rows.length - 1];
    [at, last] = [end.executed_at, Number(end.number)];
    yield rows.map((row) => tradeCells(row, markets.get(Number(row.market_id))!));
  }
}

const TRADES = (schema: string) => `
  select * from ${schema}.trades
  where (executed_at, number) > ($1::timestamptz, $2::bigint) and executed_at < $3
  order by executed_at, number limit $4`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function tradeCells(row: any, market: Market): string[] {
  const { base, quote } = market;
  const side = (liquidity: 'maker' | 'taker', received: Currency) => {
    const order = Number(row[`${liquidity}_order`]) as OrderNumber;
    const fee = BigInt(row[`${liquidity}_fee_atoms`]) as Atoms;
    return [
      row[`${liquidity}_id`],
      order === 0 ? '' : orderIdText(order),
      liquidity,
      decimalFromAtoms(fee, received.scale),
      received.symbol,
    ];
  };
  const [buyer, seller] =
    row.taker_side === 'buy' ? (['taker', 'maker'] as const) : (['maker', 'taker'] as const);
  return [
    row.number,
    timeText(row.executed_at.getTime()),
    market.name,
    decimalFromTicks(Number(row.price_ticks) as Ticks, market.tick),
    quote.symbol,
    decimalFromLots(Number(row.size_lots) as Lots, market.lot),
    base.symbol,
    decimalFromAtoms(BigInt(row.quote_atoms) as Atoms, quote.scale),
    row.taker_side,
    ...side(buyer, base),
    ...side(seller, quote),
    modeOf(row),
    `${row.house}`,
    row.command,
    row.frame,
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function modeOf(row: any): string {
  if (Number(row.maker_order) === 0) return 'direct';
  return row.quick ? 'quick' : 'order_book';
}
