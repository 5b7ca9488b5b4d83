// Market list: last price, change, volume and 24-hour chart line.

import type { Constants, Pair, TickerOfAll } from '../../../client/index.ts';
import {
  changeRatio,
  compare,
  isDecimal,
  isPositive,
  multiply,
  scaleOf,
} from '../../decimals/index.ts';

export interface MarketRow {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Full name of the base asset. */
  readonly name: string;
  readonly status: Pair['status'];
  readonly priceScale: number;
  readonly last: string | undefined;
  readonly high: string | undefined;
  readonly low: string | undefined;
  /** Change in 24 hours. */
  readonly ratio: string | undefined;
  /** Volume in 24 hours, in the base asset. */
  readonly volume: string;
  /** Volume in the common currency; undefined without a price. */
  readonly volumeValue: string | undefined;
}

export type MarketSort = 'volume' | 'name' | 'change';

type Tickers = Readonly<Record<string, TickerOfAll>>;
export type Prices = Readonly<Record<string, string>>;

/** Expects prices from the stream in `lasts`, which are newer than the tickers. */
export function marketRows(
  { coins, pairs }: Pick<Constants, 'coins' | 'pairs'>,
  {
    lasts,
    prices,
    tickers,
  }: { tickers: Tickers; prices: Prices; lasts: ReadonlyMap<string, string> },
): MarketRow[] {
  return Object.values(pairs)
    .filter(({ active, is_public }) => active && is_public)
    .map((pair) => {
      const ticker = tickers[pair.code];
      const last = lasts.get(pair.code) ?? priceOf(ticker?.last);
      const price = prices[pair.pair_base];
      const volume = ticker?.volume ?? '0';
      return {
        symbol: pair.code,
        base: pair.pair_base,
        quote: pair.pair_2,
        name: coins[pair.pair_base]?.fullname ?? pair.pair_base,
        status: pair.status,
        priceScale: scaleOf(pair.increment_price),
        last,
        ...withLast(ticker, last),
        ratio: last === undefined ? undefined : changeRatio(ticker?.open ?? '', last),
        volume,
        volumeValue: isPrice(price) ? multiply(volume, price) : undefined,
      };
    });
}

/** A missing price is -1 in valuations and 0 in tickers. */
export function isPrice(price: string | undefined): price is string {
  return price !== undefined && isPositive(price);
}

export function priceOf(price: string | undefined): string | undefined {
  return isPrice(price) ? price : undefined;
}

/** Widens the polled 24-hour range to the last price, which the stream sends first. */
export function withLast(
  ticker: Pick<TickerOfAll, 'high' | 'low'> | undefined,
  last: string | undefined,
): { readonly high: string | undefined; readonly low: string | undefined } {
  const [high, low] = [priceOf(ticker?.high), priceOf(ticker?.low)];
  if (last === undefined || high === undefined || low === undefined) return { high, low };
  return {
    high: compare(last, high) > 0 ? last : high,
    low: compare(last, low) < 0 ? last : low,
  };
}

export interface MarketFilter {
  readonly text: string;
  /** A quote asset, or all. */
  readonly quote: string;
  readonly favourites: ReadonlySet<string> | undefined;
}

export function filterMarkets(rows: readonly MarketRow[], filter: MarketFilter): MarketRow[] {
  const wanted = filter.text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/-]/g, '');
  return rows.filter(({ base, name, quote, symbol }) => {
    if (filter.favourites !== undefined && !filter.favourites.has(symbol)) return false;
    if (filter.quote !== '' && filter.quote !== quote) return false;
    return `${base}${quote} ${name.toLowerCase()}`.includes(wanted);
  });
}

/** Sorts numbers descending and names from A to Z. Markets without a value come last. */
export function sortMarkets(rows: readonly MarketRow[], by: MarketSort): MarketRow[] {
  if (by === 'name') return rows.toSorted((a, b) => a.symbol.localeCompare(b.symbol, 'en'));
  const figure = (row: MarketRow) => (by === 'change' ? row.ratio : row.volumeValue);
  return rows.toSorted((a, b) => compareFigures(figure(b), figure(a)));
}

function compareFigures(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return one === other ? 0 : one === undefined ? -1 : 1;
  return compare(one, other);
}

/** Returns the path of a price line and of the area below it. Coordinates are not amounts. */
export function sparkPaths(
  prices: readonly string[],
  { height, width }: { width: number; height: number },
): { line: string; area: string } | undefined {
  const values = prices.filter(isDecimal).map(Number);
  if (values.length < 2) return undefined;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [inset, step] = [1.5, width / (values.length - 1)];
  const y = (value: number) =>
    high === low
      ? height / 2
      : height - inset - ((value - low) / (high - low)) * (height - 2 * inset);
  const points = values.map((value, at) => `${round(at * step)} ${round(y(value))}`);
  const line = `M${points.join('L')}`;
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
