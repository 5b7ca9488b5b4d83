// Filters of the order screen, as stored in its URL.

import type { GetOrdersQuery, OrderInList, UserTrade } from '../../../client/index.ts';
import { compare, isZero, multiply, subtract } from '../../decimals/index.ts';

export const VIEWS = ['open', 'history', 'fills'] as const;
export type OrdersView = (typeof VIEWS)[number];

export interface OrderFilter {
  readonly view: OrdersView;
  readonly symbol: string;
  readonly side: '' | 'buy' | 'sell';
  readonly status: '' | 'filled' | 'canceled';
  /** Days, both inclusive; empty for any. */
  readonly from: string;
  readonly to: string;
  readonly page: number;
}

export const PAGE_ROWS = 50;

/** Reads the filters from the URL. Unknown values are ignored. */
export function readFilter(search: Readonly<Record<string, unknown>>): OrderFilter {
  const one = <Value extends string>(value: unknown, values: readonly Value[]): Value =>
    values.find((known) => known === value) ?? values[0];
  const text = (value: unknown, pattern: RegExp) =>
    typeof value === 'string' && pattern.test(value) ? value : '';
  const page = Number(search.page);
  return {
    view: one(search.view, VIEWS),
    symbol: text(search.symbol, /^[a-z0-9]{1,15}-[a-z0-9]{1,15}$/),
    side: one(search.side, ['', 'buy', 'sell']),
    status: one(search.status, ['', 'filled', 'canceled']),
    from: text(search.from, /^\d{4}-\d{2}-\d{2}$/),
    to: text(search.to, /^\d{4}-\d{2}-\d{2}$/),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Returns only the active filters for the URL. Changing one resets to the first page. */
export function writeFilter(
  filter: OrderFilter,
  change: Partial<OrderFilter>,
): Record<string, string | number> {
  const next = { ...filter, page: 1, ...change };
  const entries = Object.entries(next).filter(
    ([name, value]) => value !== '' && value !== 1 && !(name === 'view' && value === 'open'),
  );
  return Object.fromEntries(entries);
}

type CommonQuery = Pick<GetOrdersQuery, 'symbol' | 'start_date' | 'end_date'>;

function commonQuery({ from, symbol, to }: OrderFilter): CommonQuery {
  return {
    ...(symbol === '' ? {} : { symbol }),
    ...(from === '' ? {} : { start_date: `${from}T00:00:00.000Z` }),
    ...(to === '' ? {} : { end_date: `${to}T23:59:59.999Z` }),
  };
}

export function ordersQuery(filter: OrderFilter): GetOrdersQuery {
  const { side, status, view } = filter;
  return {
    ...commonQuery(filter),
    ...(side === '' ? {} : { side }),
    ...(view === 'open' ? { open: true } : status === '' ? { open: false } : { status }),
    order_by: 'created_at',
    order: 'desc',
  };
}

export function fillsQuery(filter: OrderFilter): CommonQuery {
  return commonQuery(filter);
}

/** Returns the filled share of the size as a ratio, for the bar. */
export function filledRatio({ filled, size }: Pick<OrderInList, 'filled' | 'size'>): number {
  return isZero(size) ? 0 : Math.min(1, Number(filled) / Number(size));
}

/**
 * Returns whether a fill was maker or taker, from its fee and its order's rates. Returns undefined
 * if both rates are equal.
 */
export function liquidityOf(
  fill: Pick<UserTrade, 'fee' | 'price' | 'side' | 'size'>,
  rates: OrderInList['fee_structure'],
): 'maker' | 'taker' | undefined {
  if (compare(rates.maker, rates.taker) === 0) return undefined;
  const received = fill.side === 'buy' ? fill.size : multiply(fill.price, fill.size);
  const distance = (rate: string) => {
    const difference = subtract(multiply(fill.fee, '100'), multiply(received, rate));
    return difference.startsWith('-') ? difference.slice(1) : difference;
  };
  return compare(distance(rates.maker), distance(rates.taker)) < 0 ? 'maker' : 'taker';
}
