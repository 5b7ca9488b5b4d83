// Common assets with usual decimals, limits and withdrawal fees, and the terms of a market derived
// from its reference price. Operators can change everything but decimals and increments later.

import { compare, divide, isPositive, multiply } from '../../decimals/index.ts';
import type { CoinDraft, PairDraft } from '../markets/listing-checks.ts';

export interface CatalogAsset {
  readonly symbol: string;
  readonly fullname: string;
  readonly type: 'blockchain' | 'fiat';
  readonly network: string;
  readonly decimals: string;
  readonly min: string;
  readonly max: string;
  readonly withdrawalFee: string;
  readonly issuanceCap: string;
  /** Known only for assets that follow the dollar; operators enter the others. */
  readonly price: string;
}

type Text = string;
type Row = readonly [Text, Text, Text, Text, Text, Text, Text, Text, Text?];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  // symbol, name, networks, decimals, min., max., fee, cap, price
  ['btc', 'Bitcoin', 'btc', '8', '0.001', '10', '0.0002', '10000'],
  ['eth', 'Ethereum', 'eth', '9', '0.01', '200', '0.002', '200000'],
  ['usdt', 'Tether', 'eth,trx', '6', '10', '500000', '2', '1000000000', '1'],
  ['usdc', 'USD Coin', 'eth,sol', '6', '10', '500000', '2', '1000000000', '1'],
  ['sol', 'Solana', 'sol', '9', '0.1', '5000', '0.01', '5000000'],
  ['xrp', 'XRP', 'xrp', '6', '20', '500000', '0.2', '500000000'],
  ['bnb', 'BNB', 'bsc', '8', '0.02', '1000', '0.001', '500000'],
  ['trx', 'TRON', 'trx', '6', '20', '2000000', '1', '1000000000'],
  ['ton', 'Toncoin', 'ton', '9', '1', '100000', '0.05', '50000000'],
  ['avax', 'Avalanche', 'avax', '9', '0.5', '20000', '0.01', '5000000'],
  ['pol', 'Polygon', 'pol', '9', '10', '1000000', '0.1', '500000000'],
  ['ltc', 'Litecoin', 'ltc', '8', '0.1', '5000', '0.001', '1000000'],
  ['doge', 'Dogecoin', 'doge', '8', '50', '5000000', '5', '5000000000'],
  ['ada', 'Cardano', 'ada', '6', '10', '1000000', '1', '1000000000'],
  ['eur', 'Euro', '', '2', '20', '100000', '1', '1000000000'],
  ['usd', 'US Dollar', '', '2', '20', '100000', '1', '1000000000', '1'],
];

export const CATALOG: readonly CatalogAsset[] = ROWS.map(
  ([symbol, fullname, network, decimals, min, max, withdrawalFee, issuanceCap, price = '']) => ({
    symbol,
    fullname,
    type: network === '' ? 'fiat' : 'blockchain',
    network,
    decimals,
    min,
    max,
    withdrawalFee,
    issuanceCap,
    price,
  }),
);

export function coinOf(asset: CatalogAsset, price: string): CoinDraft {
  const { price: _, ...rest } = asset;
  return { ...rest, estimatedPrice: price };
}

/** Quotes of the suggested markets, by preference. */
export const QUOTES = ['usdt', 'usdc', 'usd', 'eur'] as const;

/** Returns the markets that can be suggested: every asset against the quotes that are listed. */
export function suggestedMarkets(
  coins: readonly string[],
  listed: readonly string[],
): readonly (readonly [base: string, quote: string])[] {
  const quotes = QUOTES.filter((quote) => coins.includes(quote));
  return quotes.flatMap((quote, at) =>
    coins
      .filter((base) => base !== quote && !quotes.slice(at).some((other) => other === base))
      .filter((base) => !listed.includes(`${base}-${quote}`))
      .map((base) => [base, quote] as const),
  );
}

const PRICE_DIGITS = 5;
const SMALLEST_VALUE = '0.5';
const LARGEST_SPAN = '20';
const LARGEST_VALUE = '5000000';
/** Fits the ledger at nine decimals. */
const LARGEST_SIZE = '1000000000';

interface Coin {
  readonly symbol: string;
  readonly decimals: number;
}

/**
 * Terms of a market at this price: five digits of price, a smallest order of about half a unit of
 * the quote, prices up to twenty times the reference. Returns undefined without a price.
 */
export function marketOf(base: Coin, quote: Coin, price: string): PairDraft | undefined {
  if (!isPositive(price)) return undefined;
  const power = exponentOf(price);
  // Size and price increments share the decimals of the quote.
  const tickScale = Math.min(Math.max(PRICE_DIGITS - 1 - power, 0), quote.decimals - 1);
  // The smallest fill has at least two atoms of each asset.
  const lotScale = Math.min(Math.max(power + 2, 0), base.decimals - 1, quote.decimals - tickScale);
  const tick = powerOfTen(-tickScale);
  const lot = powerOfTen(-lotScale);
  const lots = (value: string) => roundUp(divide(value, price, { scale: 18, rounding: 'up' }), lot);
  const minSize = lots(SMALLEST_VALUE);
  return {
    base: base.symbol,
    quote: quote.symbol,
    incrementSize: lot,
    incrementPrice: tick,
    minSize,
    maxSize: smaller(lots(LARGEST_VALUE), LARGEST_SIZE),
    minPrice: multiply(tick, '2'),
    maxPrice: roundUp(multiply(price, LARGEST_SPAN), tick),
    estimatedPrice: roundUp(price, tick),
    band: '10',
    slippage: '5',
    makerFee: '0.1',
    takerFee: '0.2',
  };
}

/** Returns the power of ten of the first digit: 4 for 60,000 and -2 for 0.05. */
function exponentOf(price: string): number {
  let power = 0;
  while (compare(price, powerOfTen(power + 1)) >= 0) power += 1;
  while (compare(price, powerOfTen(power)) < 0) power -= 1;
  return power;
}

function powerOfTen(power: number): string {
  return power >= 0 ? `1${'0'.repeat(power)}` : `0.${'1'.padStart(-power, '0')}`;
}

function smaller(one: string, other: string): string {
  return compare(one, other) <= 0 ? one : other;
}

function roundUp(value: string, step: string): string {
  return multiply(divide(value, step, { scale: 0, rounding: 'up' }), step);
}
