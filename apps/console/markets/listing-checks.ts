// Checks an asset or a market before the listing request: the engine rules that a page can compute,
// each with its values. The exchange checks all of them again.

import {
  compare,
  isDecimal,
  isMultipleOf,
  isPositive,
  multiply,
  scaleOf,
  subtract,
} from '../../decimals/index.ts';

export interface CoinDraft {
  readonly symbol: string;
  readonly fullname: string;
  readonly type: 'blockchain' | 'fiat' | 'other';
  readonly network: string;
  readonly decimals: string;
  readonly issuanceCap: string;
  readonly estimatedPrice: string;
  readonly min: string;
  readonly max: string;
  readonly withdrawalFee: string;
}

export interface PairDraft {
  readonly base: string;
  readonly quote: string;
  readonly incrementSize: string;
  readonly incrementPrice: string;
  readonly minSize: string;
  readonly maxSize: string;
  readonly minPrice: string;
  readonly maxPrice: string;
  readonly estimatedPrice: string;
  readonly band: string;
  readonly slippage: string;
  readonly makerFee: string;
  readonly takerFee: string;
}

export interface KnownCoin {
  readonly symbol: string;
  readonly decimals: number;
}

export type CheckName =
  | 'symbol'
  | 'new'
  | 'newPair'
  | 'name'
  | 'decimals'
  | 'cap'
  | 'price'
  | 'minMax'
  | 'coins'
  | 'steps'
  | 'wholeAtoms'
  | 'twoAtoms'
  | 'fits'
  | 'sizes'
  | 'prices'
  | 'notional'
  | 'band'
  | 'fees';

export interface CheckLine {
  readonly check: CheckName;
  readonly isOk: boolean;
  /** Compared values. */
  readonly value: string;
}

const SYMBOL = /^[a-z][a-z\d]{1,9}$/;
const DECIMALS_MAX = 18;
const PERCENT_MAX = '100';
const FEE_MAX = '10';
/** In a smaller fill, a fee of one half, rounded up, could take the entire fill. */
const SMALLEST_FILL_ATOMS = '2';
/** 2⁶². */
const ATOMS_MAX = '4611686018427387904';

export function checkCoin(draft: CoinDraft, known: readonly KnownCoin[]): CheckLine[] {
  const { decimals, estimatedPrice, fullname, issuanceCap, max, min, symbol } = draft;
  const isWhole = /^\d{1,2}$/.test(decimals) && Number(decimals) <= DECIMALS_MAX;
  const fits = (text: string) => isDecimal(text) && isWhole && scaleOf(text) <= Number(decimals);
  return [
    { check: 'symbol', isOk: SYMBOL.test(symbol), value: symbol },
    { check: 'new', isOk: !known.some((coin) => coin.symbol === symbol), value: symbol },
    { check: 'name', isOk: fullname.trim() !== '', value: fullname },
    { check: 'decimals', isOk: isWhole, value: decimals },
    { check: 'cap', isOk: isPositive(issuanceCap) && fits(issuanceCap), value: issuanceCap },
    { check: 'price', isOk: isPositive(estimatedPrice), value: estimatedPrice },
    {
      check: 'minMax',
      isOk: fits(min) && fits(max) && isPositive(max) && compare(min, max) <= 0,
      value: `${min} – ${max}`,
    },
  ];
}

/** Returns the first pair of assets without a market; USDT is the preferred quote. */
export function firstUnlisted(
  symbols: readonly string[],
  listed: readonly string[],
): { readonly base: string; readonly quote: string } {
  const quotes = symbols.toSorted(
    (one, other) => Number(other === 'usdt') - Number(one === 'usdt'),
  );
  for (const quote of quotes) {
    const base = symbols.find((one) => one !== quote && !listed.includes(`${one}-${quote}`));
    if (base !== undefined) return { base, quote };
  }
  return { base: symbols[0] ?? '', quote: quotes[0] ?? '' };
}

export function checkPair(
  draft: PairDraft,
  known: readonly KnownCoin[],
  listed: readonly string[],
): CheckLine[] {
  const { base, incrementPrice: tick, incrementSize: lot, quote } = draft;
  const [baseCoin, quoteCoin] = [base, quote].map((one) => known.find((k) => k.symbol === one));
  const hasSteps = isPositive(lot) && isPositive(tick);
  const lotFits = baseCoin !== undefined && isDecimal(lot) && scaleOf(lot) <= baseCoin.decimals;
  const notional = hasSteps ? multiply(lot, tick) : '0';
  return [
    {
      check: 'coins',
      isOk: baseCoin !== undefined && quoteCoin !== undefined && base !== quote,
      value: `${base}-${quote}`,
    },
    {
      check: 'newPair',
      isOk: !listed.includes(`${base}-${quote}`),
      value: `${base}-${quote}`,
    },
    { check: 'steps', isOk: hasSteps && lotFits, value: `${lot}, ${tick}` },
    // Lot times tick must be a whole number of atoms, so notionals are never rounded.
    {
      check: 'wholeAtoms',
      isOk: hasSteps && quoteCoin !== undefined && scaleOf(notional) <= quoteCoin.decimals,
      value: `${lot} × ${tick} = ${notional}`,
    },
    ...atomChecks(draft, baseCoin, quoteCoin),
    rangeOf('sizes', { min: draft.minSize, max: draft.maxSize, step: lot }),
    rangeOf('prices', { min: draft.minPrice, max: draft.maxPrice, step: tick }),
    {
      check: 'price',
      isOk: isWithin(draft.estimatedPrice, draft.minPrice, draft.maxPrice),
      value: draft.estimatedPrice,
    },
    {
      check: 'notional',
      isOk: isPositive(draft.minSize) && isPositive(draft.estimatedPrice),
      value:
        isDecimal(draft.minSize) && isDecimal(draft.estimatedPrice)
          ? `${multiply(draft.minSize, draft.estimatedPrice)} ${quote}`
          : '',
    },
    {
      check: 'band',
      isOk: isWithin(draft.band, '0', PERCENT_MAX) && isWithin(draft.slippage, '0', PERCENT_MAX),
      value: `${draft.band}%, ${draft.slippage}%`,
    },
    {
      check: 'fees',
      isOk: isWithin(draft.makerFee, '0', FEE_MAX) && isWithin(draft.takerFee, '0', FEE_MAX),
      value: `${draft.makerFee}%, ${draft.takerFee}%`,
    },
  ];
}

/** The minimum fill is more than its fee, and the maximum order fits the ledger. */
function atomChecks(
  { incrementSize: lot, maxPrice, maxSize, minPrice }: PairDraft,
  base: KnownCoin | undefined,
  quote: KnownCoin | undefined,
): CheckLine[] {
  const areKnown = base !== undefined && quote !== undefined;
  const areNumbers = areKnown && [lot, minPrice, maxPrice, maxSize].every(isDecimal);
  if (!areNumbers) {
    return [
      { check: 'twoAtoms', isOk: false, value: '' },
      { check: 'fits', isOk: false, value: '' },
    ];
  }
  const smallest = multiply(lot, minPrice);
  const largest = multiply(maxSize, maxPrice);
  const atLeast = (amount: string, { decimals }: KnownCoin) =>
    compare(amount, inUnits(SMALLEST_FILL_ATOMS, decimals)) >= 0;
  const atMost = (amount: string, { decimals }: KnownCoin) =>
    compare(amount, inUnits(ATOMS_MAX, decimals)) <= 0;
  return [
    {
      check: 'twoAtoms',
      isOk: atLeast(lot, base) && atLeast(smallest, quote),
      value: `${lot} × ${minPrice} = ${smallest} ${quote.symbol}`,
    },
    {
      check: 'fits',
      isOk: atMost(maxSize, base) && atMost(largest, quote),
      value: `${maxSize} × ${maxPrice} = ${largest} ${quote.symbol}`,
    },
  ];
}

function inUnits(atoms: string, decimals: number): string {
  return multiply(atoms, decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`);
}

function rangeOf(
  check: 'sizes' | 'prices',
  { max, min, step }: { readonly min: string; readonly max: string; readonly step: string },
): CheckLine {
  const areSteps =
    isPositive(step) && [min, max].every((one) => isPositive(one) && isMultipleOf(one, step));
  return { check, isOk: areSteps && compare(min, max) < 0, value: `${min} – ${max}` };
}

function isWithin(text: string, min: string, max: string): boolean {
  if (![text, min, max].every(isDecimal)) return false;
  return compare(text, min) >= 0 && compare(text, max) <= 0;
}

export function areAllOk(lines: readonly CheckLine[]): boolean {
  return lines.every(({ isOk }) => isOk);
}

/** Fields of the request, without empty ones. */
export function coinBody(draft: CoinDraft) {
  return {
    symbol: draft.symbol,
    fullname: draft.fullname.trim(),
    type: draft.type,
    decimals: Number(draft.decimals),
    issuance_cap: draft.issuanceCap,
    estimated_price: draft.estimatedPrice,
    min: draft.min,
    max: draft.max,
    withdrawal_fee: draft.withdrawalFee === '' ? '0' : draft.withdrawalFee,
    ...(draft.network.trim() === '' ? {} : { network: draft.network.trim() }),
  };
}

export function pairBody(draft: PairDraft) {
  return {
    name: `${draft.base}-${draft.quote}`,
    pair_base: draft.base,
    pair_2: draft.quote,
    increment_size: draft.incrementSize,
    increment_price: draft.incrementPrice,
    min_size: draft.minSize,
    max_size: draft.maxSize,
    min_price: draft.minPrice,
    max_price: draft.maxPrice,
    estimated_price: draft.estimatedPrice,
    band: draft.band,
    slippage: draft.slippage,
    maker_fee: draft.makerFee,
    taker_fee: draft.takerFee,
  };
}

/** Returns the price limits of the band: reference ± percent. */
export function bandOf(price: string, percent: string): { low: string; high: string } | undefined {
  if (!isPositive(price) || !isWithin(percent, '0', PERCENT_MAX)) return undefined;
  const width = multiply(price, multiply(percent, '0.01'));
  return { low: subtract(price, width), high: subtract(price, `-${width}`) };
}
