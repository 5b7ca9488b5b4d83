// Creates a quote from the book: the market and side for two currencies, and the amounts.
// Read-only; the engine executes the quoted amounts or rejects them.

import type { Side } from '../../../core/messages/index.ts';
import {
  type Atoms,
  atomsFromDecimal,
  type DecimalProblem,
  decimalFromAtoms,
  decimalFromLots,
  type Lots,
  lotsFromDecimal,
  ticksFromDecimal,
} from '../../../core/money/index.ts';
import { BOOK_LEVELS, type Depth, type DepthLevel } from '../../../infra/live-feed/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { CatalogueNow, MarketEntry } from '../../listings/index.ts';
import { type BookLevel, type Walked, walkLots, walkQuote } from './walk-book.ts';

export interface QuoteRequest {
  readonly spending_currency: string;
  readonly receiving_currency: string;
  readonly spending_amount?: number | string | undefined;
  readonly receiving_amount?: number | string | undefined;
}

/** The same book at two moments. */
export interface QuotedBooks {
  /** Ten best levels per side, a few hundredths of a second old. */
  readonly best: Depth | undefined;
  /** A thousand levels, up to a second old. */
  readonly deep: Depth | undefined;
}

/** Trade to execute: lots for quote atoms, before fees. */
export interface QuotedTrade {
  readonly market: MarketEntry;
  readonly side: Side;
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
}

/** Spending the base means selling it. The market can have either currency as its base. */
export function quotedMarket(
  { marketsBySymbol, quickTrades }: Pick<CatalogueNow, 'marketsBySymbol' | 'quickTrades'>,
  request: QuoteRequest,
):
  | Pick<QuotedTrade, 'market' | 'side'>
  | Refused<'quote_pair_not_offered' | 'market_does_not_accept_orders'> {
  const spending = request.spending_currency.toLowerCase();
  const receiving = request.receiving_currency.toLowerCase();
  const sold = marketsBySymbol.get(`${spending}-${receiving}`);
  const market = sold ?? marketsBySymbol.get(`${receiving}-${spending}`);
  if (market === undefined || quickTrades.get(market.symbol)?.active !== true) {
    return new Refused('quote_pair_not_offered');
  }
  if (market.status !== 'full') return new Refused('market_does_not_accept_orders');
  return { market, side: sold === undefined ? 'buy' : 'sell' };
}

type QuoteRefusal =
  | AmountRefusal
  | 'quote_amount_missing'
  | 'size_above_maximum'
  | 'size_below_minimum';
type AmountRefusal =
  | 'no_liquidity_within_limits'
  | 'quote_amount_must_be_positive'
  | 'quote_too_small'
  | 'value_not_a_number';

/** Rounds both amounts down to tradable ones, so the user spends no more than requested. */
export function quoteTrade(
  { market, side }: Pick<QuotedTrade, 'market' | 'side'>,
  request: QuoteRequest,
  books: QuotedBooks,
): QuotedTrade | Refused<QuoteRefusal> {
  const amount = request.spending_amount ?? request.receiving_amount;
  if (amount === undefined) return new Refused('quote_amount_missing');
  const isSpending = request.spending_amount !== undefined;
  const isOfBase = (side === 'sell') === isSpending;
  const { base, quote, tickLotAtoms } = market;
  const atoms = amountOf(`${amount}`, (isOfBase ? base : quote).scale);
  if (atoms instanceof Refused) return atoms;
  const isTooLarge = isOfBase && atoms / market.lot.atoms > BigInt(market.maxSizeLots);
  if (isTooLarge) return new Refused('size_above_maximum');
  const walked = walkFreshest(books, side, (taken) => {
    const levels = levelsOf(market, taken);
    if (!isOfBase) return walkQuote(levels, tickLotAtoms, atoms);
    return walkLots(levels, tickLotAtoms, Number(atoms / market.lot.atoms) as Lots);
  });
  const refused = checkSize(market, walked);
  if (refused !== undefined) return refused;
  return { market, side, sizeLots: walked.sizeLots, quoteAtoms: walked.quoteAtoms };
}

/** Returns the spent and the received amount as texts, before the fee. */
export function quotedAmounts(trade: QuotedTrade): { spending: string; receiving: string } {
  const { market, side, sizeLots } = trade;
  const base = decimalFromLots(sizeLots, market.lot);
  const quote = decimalFromAtoms(trade.quoteAtoms, market.quote.scale);
  return side === 'sell'
    ? { spending: base, receiving: quote }
    : { spending: quote, receiving: base };
}

/** Uses the newest book that is deep enough. A quote never combines two books. */
function walkFreshest(
  { best, deep }: QuotedBooks,
  side: Side,
  walk: (levels: readonly DepthLevel[] | undefined) => Walked,
): Walked {
  const takenOf = (book: Depth | undefined) => (side === 'sell' ? book?.bids : book?.asks);
  const nearest = takenOf(best);
  if (best === undefined || nearest === undefined) return walk(takenOf(deep));
  const walked = walk(nearest);
  // A book with fewer than ten levels is complete, so the older book's deeper levels no longer
  // exist.
  const isAll = nearest.length < BOOK_LEVELS && best.frame >= (deep?.frame ?? 0);
  return walked.isShort && !isAll ? walk(takenOf(deep)) : walked;
}

function checkSize(
  { maxSizeLots, minSizeLots }: MarketEntry,
  { isShort, sizeLots }: Walked,
): Refused<QuoteRefusal> | undefined {
  if (isShort) return new Refused('no_liquidity_within_limits');
  if (sizeLots === 0) return new Refused('quote_too_small');
  if (sizeLots < minSizeLots) return new Refused('size_below_minimum');
  return sizeLots > maxSizeLots ? new Refused('size_above_maximum') : undefined;
}

/** Truncates digits below one atom. */
function amountOf(text: string, scale: number): Atoms | Refused<AmountRefusal> {
  const whole = atomsFromDecimal(text, scale);
  if (!whole.ok && whole.problem !== 'too_many_digits') return amountRefusal(whole.problem);
  const atoms = whole.ok ? whole.value : cutToAtoms(text, scale);
  if (atoms === 0n) return new Refused('quote_too_small');
  return atoms as Atoms;
}

/** Truncates a positive decimal to the digits of the scale. */
function cutToAtoms(text: string, scale: number): bigint {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const kept = whole.length + Number(exponent) + scale;
  return kept <= 0 ? 0n : BigInt(digits.slice(0, kept));
}

function amountRefusal(problem: DecimalProblem): Refused<AmountRefusal> {
  if (problem === 'negative') return new Refused('quote_amount_must_be_positive');
  if (problem === 'too_large') return new Refused('no_liquidity_within_limits');
  return new Refused('value_not_a_number', { name: 'amount' });
}

function levelsOf(
  { lot, tick }: MarketEntry,
  levels: readonly DepthLevel[] | undefined,
): BookLevel[] {
  return (levels ?? []).map(([price, size]) => {
    const [ticks, lots] = [ticksFromDecimal(price, tick), lotsFromDecimal(size, lot)];
    if (!ticks.ok || !lots.ok) throw new Error(`invalid level in a book: ${size} at ${price}`);
    return { priceTicks: ticks.value, sizeLots: lots.value };
  });
}
