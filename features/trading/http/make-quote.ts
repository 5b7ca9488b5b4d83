// Makes a quote from the book: the market and side that two currencies mean, and the amounts. It
// only reads; the engine executes the quoted amounts or refuses.

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
import { ApiRefusal } from '../../../platform/http/index.ts';
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
  /** The ten best levels of each side, a few hundredths of a second old. */
  readonly best: Depth | undefined;
  /** A thousand levels, up to a second old. */
  readonly deep: Depth | undefined;
}

/** The trade that may be executed: lots for quote atoms, before fees. */
export interface QuotedTrade {
  readonly market: MarketEntry;
  readonly side: Side;
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
}

/** Spending the base is selling it. The market may have either currency as its base. */
export function quotedMarket(
  { marketsBySymbol, quickTrades }: Pick<CatalogueNow, 'marketsBySymbol' | 'quickTrades'>,
  request: QuoteRequest,
): Pick<QuotedTrade, 'market' | 'side'> {
  const spending = request.spending_currency.toLowerCase();
  const receiving = request.receiving_currency.toLowerCase();
  const sold = marketsBySymbol.get(`${spending}-${receiving}`);
  const market = sold ?? marketsBySymbol.get(`${receiving}-${spending}`);
  if (market === undefined || quickTrades.get(market.symbol)?.active !== true) {
    throw new ApiRefusal('quote_pair_not_offered');
  }
  if (market.status !== 'full') throw new ApiRefusal('market_does_not_accept_orders');
  return { market, side: sold === undefined ? 'buy' : 'sell' };
}

/** Rounds both amounts down to tradable ones, so that the user spends no more than requested. */
export function quoteTrade(
  { market, side }: Pick<QuotedTrade, 'market' | 'side'>,
  request: QuoteRequest,
  books: QuotedBooks,
): QuotedTrade {
  const amount = request.spending_amount ?? request.receiving_amount;
  if (amount === undefined) throw new ApiRefusal('quote_amount_missing');
  const isSpending = request.spending_amount !== undefined;
  const isOfBase = (side === 'sell') === isSpending;
  const { base, quote, tickLotAtoms } = market;
  const atoms = amountOf(`${amount}`, (isOfBase ? base : quote).scale);
  const walked = walkFreshest(books, side, (taken) => {
    const levels = levelsOf(market, taken);
    return isOfBase ? walkBase(market, levels, atoms) : walkQuote(levels, tickLotAtoms, atoms);
  });
  checkSize(market, walked);
  return { market, side, sizeLots: walked.sizeLots, quoteAtoms: walked.quoteAtoms };
}

/** The spent and the received amount as texts, before the fee. */
export function quotedAmounts(trade: QuotedTrade): { spending: string; receiving: string } {
  const { market, side, sizeLots } = trade;
  const base = decimalFromLots(sizeLots, market.lot);
  const quote = decimalFromAtoms(trade.quoteAtoms, market.quote.scale);
  return side === 'sell'
    ? { spending: base, receiving: quote }
    : { spending: quote, receiving: base };
}

/** The newest book that is deep enough. A quote uses one of them, never both. */
function walkFreshest(
  { best, deep }: QuotedBooks,
  side: Side,
  walk: (levels: readonly DepthLevel[] | undefined) => Walked,
): Walked {
  const takenOf = (book: Depth | undefined) => (side === 'sell' ? book?.bids : book?.asks);
  const nearest = takenOf(best);
  if (best === undefined || nearest === undefined) return walk(takenOf(deep));
  const walked = walk(nearest);
  // A book with fewer than ten levels is complete: deeper levels of the older book are gone.
  const isAll = nearest.length < BOOK_LEVELS && best.frame >= (deep?.frame ?? 0);
  return walked.isShort && !isAll ? walk(takenOf(deep)) : walked;
}

function walkBase(market: MarketEntry, levels: readonly BookLevel[], atoms: Atoms): Walked {
  const lots = atoms / market.lot.atoms;
  if (lots > BigInt(market.maxSizeLots)) throw new ApiRefusal('size_above_maximum');
  return walkLots(levels, market.tickLotAtoms, Number(lots) as Lots);
}

function checkSize({ maxSizeLots, minSizeLots }: MarketEntry, { isShort, sizeLots }: Walked): void {
  if (isShort) throw new ApiRefusal('no_liquidity_within_limits');
  if (sizeLots === 0) throw new ApiRefusal('quote_too_small');
  if (sizeLots < minSizeLots) throw new ApiRefusal('size_below_minimum');
  if (sizeLots > maxSizeLots) throw new ApiRefusal('size_above_maximum');
}

/** Truncates digits below one atom. */
function amountOf(text: string, scale: number): Atoms {
  const whole = atomsFromDecimal(text, scale);
  if (!whole.ok && whole.problem !== 'too_many_digits') throw amountRefusal(whole.problem);
  const atoms = whole.ok ? whole.value : cutToAtoms(text, scale);
  if (atoms === 0n) throw new ApiRefusal('quote_too_small');
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

function amountRefusal(problem: DecimalProblem): ApiRefusal {
  if (problem === 'negative') return new ApiRefusal('quote_amount_must_be_positive');
  if (problem === 'too_large') return new ApiRefusal('no_liquidity_within_limits');
  return new ApiRefusal('value_not_a_number', { name: 'amount' });
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
