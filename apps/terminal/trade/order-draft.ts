// Logic of the order form: typed input, its exact meaning, and the order to send. All amounts are
// text.

import type { OrderIn, Pair } from '../../../client/index.ts';
import {
  add,
  compare,
  divide,
  isDecimal,
  isMultipleOf,
  isPositive,
  multiply,
  scaleOf,
  subtract,
  toIncrement,
  trimmed,
  withScale,
} from '../../decimals/index.ts';
import type { Word, WordValues } from '../../ui/index.ts';
import type { Level, Side } from './book-view.ts';
import { estimateFill, type FillEstimate, sizeForValue } from './fill-estimate.ts';

export type OrderKind =
  | 'limit'
  | 'market'
  | 'stop'
  | 'stop-limit'
  | 'take-profit'
  | 'take-profit-limit';
export type TimeInForce = NonNullable<OrderIn['time_in_force']>;
export type SelfTradeMode = NonNullable<OrderIn['self_trade_prevention']>;

export interface Draft {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly price: string;
  readonly stop: string;
  /** Stop price of the stop that is linked to a limit order; empty for none. */
  readonly linkedStop: string;
  /** Local date and time at which the open order closes; empty for never. */
  readonly expiresAt: string;
  /** Size or total, whichever the user typed last. */
  readonly amount: string;
  readonly amountOf: 'size' | 'total';
  readonly isPostOnly: boolean;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
}

export const EMPTY_DRAFT: Draft = {
  side: 'buy',
  kind: 'limit',
  price: '',
  stop: '',
  linkedStop: '',
  expiresAt: '',
  amount: '',
  amountOf: 'size',
  isPostOnly: false,
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
};

export type Market = Pick<
  Pair,
  | 'code'
  | 'pair_base'
  | 'pair_2'
  | 'min_size'
  | 'max_size'
  | 'min_price'
  | 'max_price'
  | 'increment_size'
  | 'increment_price'
>;

export interface Circumstances {
  readonly market: Market;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly lastPrice: string | undefined;
  /** Undefined without a session. */
  readonly available: { readonly base: string; readonly quote: string } | undefined;
  /** Rates in percent, after the user's discount. */
  readonly fees:
    | { readonly maker: string; readonly taker: string; readonly discount?: string }
    | undefined;
  /** Decimals of the assets; fees are whole atoms. */
  readonly scales: { readonly base: number; readonly quote: number };
}

export interface Problem {
  readonly field: 'price' | 'stop' | 'linkedStop' | 'amount' | 'form';
  readonly word: Word;
  readonly values?: WordValues;
}

/** Exact values of a draft. */
export interface Reading {
  readonly size: string;
  /** Price times size, or the estimated cost of a market order. Undefined if unknown. */
  readonly total: string | undefined;
  /** Price per unit that matches total and size, for orders with a price. */
  readonly price: string | undefined;
  /** Part that fills immediately in the shown book; undefined for stops and post-only orders. */
  readonly estimate: FillEstimate | undefined;
  readonly fee: { readonly amount: string; readonly coin: string } | undefined;
  readonly problem: Problem | undefined;
}

export const hasPrice = (kind: OrderKind) =>
  kind === 'limit' || kind === 'stop-limit' || kind === 'take-profit-limit';
export const hasStop = (kind: OrderKind) => kind !== 'limit' && kind !== 'market';
const takesProfit = (kind: OrderKind) => kind === 'take-profit' || kind === 'take-profit-limit';
export const triggerOf = (kind: OrderKind) => (takesProfit(kind) ? 'take-profit' : 'stop');

/** Orders without a stop price have no trigger. */
export function withTrigger(kind: OrderKind, trigger: 'stop' | 'take-profit'): OrderKind {
  if (!hasStop(kind)) return kind;
  return hasPrice(kind) ? `${trigger}-limit` : trigger;
}
export const mayPostOnly = ({ kind, timeInForce }: Draft) =>
  kind === 'limit' && timeInForce === 'GTC';

/** An order that can rest can be linked to a stop: the first that trades cancels the other. */
export const mayLinkStop = ({ kind, timeInForce }: Draft) =>
  kind === 'limit' && timeInForce === 'GTC';
export const mayExpire = ({ kind, timeInForce }: Draft) =>
  hasStop(kind) || (kind === 'limit' && timeInForce === 'GTC');
export const hasLinkedStop = (draft: Draft) => mayLinkStop(draft) && draft.linkedStop !== '';

/**
 * Returns the draft with another type. A time in force is kept only if both types allow it, so the
 * one of a market order never applies to a limit order.
 */
export function withKind(draft: Draft, kind: OrderKind): Draft {
  const isKept = hasPrice(kind) === hasPrice(draft.kind);
  return { ...draft, kind, timeInForce: isKept ? draft.timeInForce : 'GTC' };
}

/** Returns the time in force that is sent: orders without a price never rest in the book. */
export function sentTimeInForce({ kind, timeInForce }: Draft): TimeInForce {
  return hasPrice(kind) || timeInForce !== 'GTC' ? timeInForce : 'IOC';
}

export function readDraft(draft: Draft, about: Circumstances): Reading {
  const size = sizeOf(draft, about);
  const price = unitPrice(draft);
  const isAtOnce = !hasStop(draft.kind) && !(mayPostOnly(draft) && draft.isPostOnly);
  const opposite = draft.side === 'buy' ? about.asks : about.bids;
  const estimate =
    isAtOnce && isPositive(size)
      ? estimateFill(opposite, {
          side: draft.side,
          size,
          price: hasPrice(draft.kind) ? price : undefined,
        })
      : undefined;
  const total =
    price === undefined || !isPositive(size)
      ? draft.kind === 'market'
        ? estimate?.value
        : undefined
      : trimmed(multiply(price, size));
  const problem = problemOf(draft, { size, total, about });
  return {
    size,
    total,
    price,
    estimate,
    fee: feeOf(draft, { size, total, estimate }, about),
    problem,
  };
}

/** Limit orders have a price; a stop without one is valued at its stop price. */
function unitPrice({ kind, price, stop }: Draft): string | undefined {
  const text = hasPrice(kind) ? price : hasStop(kind) ? stop : '';
  return isDecimal(text) && isPositive(text) ? text : undefined;
}

function sizeOf(draft: Draft, { asks, bids, market }: Circumstances): string {
  const { amount, amountOf, kind, side } = draft;
  const typed = isDecimal(amount) ? amount : trimmedPoint(amount);
  if (!isPositive(typed)) return '0';
  if (amountOf === 'size') return typed;
  if (kind === 'market') {
    const opposite = side === 'buy' ? asks : bids;
    return sizeForValue(opposite, { value: typed, lot: market.increment_size });
  }
  const price = unitPrice(draft);
  if (price === undefined) return '0';
  return toIncrement(divide(typed, price, { scale: 18 }), market.increment_size);
}

/** Reads an unfinished `1.` as 1. */
function trimmedPoint(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

function problemOf(
  draft: Draft,
  { about, size, total }: { size: string; total: string | undefined; about: Circumstances },
): Problem | undefined {
  const { kind, price, side, stop } = draft;
  const { market } = about;
  if (hasStop(kind)) {
    const problem = stopProblem('stop', stop, { side, takesProfit: takesProfit(kind) }, about);
    if (problem !== undefined) return problem;
  }
  if (hasLinkedStop(draft)) {
    const terms = { side, takesProfit: false };
    const problem = stopProblem('linkedStop', draft.linkedStop, terms, about);
    if (problem !== undefined) return problem;
  }
  if (hasPrice(kind)) {
    const problem = priceProblem('price', price, market);
    if (problem !== undefined) return problem;
  }
  return sizeProblem(draft, size, market) ?? balanceProblem(side, { size, total }, about);
}

function stopProblem(
  field: 'stop' | 'linkedStop',
  stop: string,
  terms: { side: Side; takesProfit: boolean },
  { lastPrice, market }: Circumstances,
): Problem | undefined {
  const problem = priceProblem(field, stop, market);
  if (problem !== undefined || lastPrice === undefined) return problem;
  const word = triggerProblem(terms.side, terms.takesProfit, compare(stop, lastPrice));
  return word === undefined ? undefined : { field, word };
}

/** `order` compares the stop price with the last price. */
function triggerProblem(side: Side, isTakeProfit: boolean, order: number): Word | undefined {
  if ((side === 'buy') !== isTakeProfit) {
    if (order > 0) return undefined;
    return isTakeProfit ? 'trade.takeProfitAbove' : 'trade.stopAbove';
  }
  if (order < 0) return undefined;
  return isTakeProfit ? 'trade.takeProfitBelow' : 'trade.stopBelow';
}

export function priceProblem(
  field: 'price' | 'stop' | 'linkedStop',
  text: string,
  { increment_price, max_price, min_price, pair_2 }: Market,
): Problem | undefined {
  const unit = pair_2.toUpperCase();
  if (!isDecimal(text) || !isPositive(text)) return { field, word: 'trade.needsPrice' };
  if (!isMultipleOf(text, increment_price))
    return { field, word: 'trade.stepOf', values: { step: increment_price, unit } };
  if (compare(text, min_price) < 0)
    return { field, word: 'trade.atLeast', values: { amount: min_price, unit } };
  if (compare(text, max_price) > 0)
    return { field, word: 'trade.atMost', values: { amount: max_price, unit } };
  return undefined;
}

export function sizeProblem(
  { amount }: Pick<Draft, 'amount'>,
  size: string,
  { increment_size, max_size, min_size, pair_base }: Market,
): Problem | undefined {
  const unit = pair_base.toUpperCase();
  const field = 'amount';
  if (amount === '') return { field, word: 'trade.needsAmount' };
  if (!isMultipleOf(size, increment_size))
    return { field, word: 'trade.stepOf', values: { step: increment_size, unit } };
  if (compare(size, min_size) < 0)
    return { field, word: 'trade.atLeast', values: { amount: min_size, unit } };
  if (compare(size, max_size) > 0)
    return { field, word: 'trade.atMost', values: { amount: max_size, unit } };
  return undefined;
}

function balanceProblem(
  side: Side,
  { size, total }: { size: string; total: string | undefined },
  { available, market }: Circumstances,
): Problem | undefined {
  if (available === undefined) return undefined;
  const [needed, owned, coin] =
    side === 'buy'
      ? [total ?? '0', available.quote, market.pair_2]
      : [size, available.base, market.pair_base];
  if (compare(needed, owned) <= 0) return undefined;
  const values = { amount: trimmed(owned), unit: coin.toUpperCase() };
  return { field: 'amount', word: 'trade.onlyAvailable', values };
}

/**
 * Each side pays in the asset it receives, rounded up to a whole atom. The part that fills
 * immediately or at the market pays the taker rate, the resting part pays the maker rate.
 */
function feeOf(
  { kind, side }: Draft,
  reading: Pick<Reading, 'size' | 'total' | 'estimate'>,
  { fees, market, scales }: Circumstances,
): Reading['fee'] {
  const { estimate, size, total } = reading;
  if (fees === undefined || total === undefined || !isPositive(size)) return undefined;
  const taken = estimate ?? { size: '0', value: '0' };
  const rests =
    side === 'buy' ? subtract(size, taken.size) : subtract(total, cappedValue(taken, total));
  const coin = side === 'buy' ? market.pair_base : market.pair_2;
  const takes = side === 'buy' ? taken.size : taken.value;
  const scale = side === 'buy' ? scales.base : scales.quote;
  const restRate = hasPrice(kind) ? fees.maker : fees.taker;
  const exact = add(percentOf(takes, fees.taker), percentOf(rests, restRate));
  return { amount: withScale(exact, scale, 'up'), coin };
}

/** A sell can fill above its limit; the resting part must not become negative. */
function cappedValue({ value }: { value: string }, total: string): string {
  return compare(value, total) > 0 ? total : value;
}

function percentOf(amount: string, percent: string): string {
  return compare(amount, '0') <= 0 ? '0' : multiply(multiply(amount, percent), '0.01');
}

/** Returns the draft with a share of the available balance: 25, 50, 75 or 100 percent. */
export function shareOfAvailable(
  draft: Draft,
  percent: number,
  { available, market }: Circumstances,
): Draft {
  if (available === undefined) return draft;
  const isBuy = draft.side === 'buy';
  const owned = isBuy ? available.quote : available.base;
  const part = divide(multiply(owned, String(percent)), '100', { scale: 18 });
  if (!isBuy) {
    return { ...draft, amountOf: 'size', amount: toIncrement(part, market.increment_size) };
  }
  const scale = scaleOf(market.increment_price) + scaleOf(market.increment_size);
  return { ...draft, amountOf: 'total', amount: trimmed(withScale(part, scale)) };
}

/** Returns the share of the available balance that the order would use, 0 to 100. */
export function usedPercent(
  { side }: Draft,
  { size, total }: Reading,
  { available }: Circumstances,
): number {
  const [needed, owned] =
    side === 'buy' ? [total ?? '0', available?.quote ?? '0'] : [size, available?.base ?? '0'];
  if (!isPositive(owned) || !isPositive(needed)) return 0;
  return Math.min(100, Number(divide(multiply(needed, '100'), owned, { scale: 0 })));
}

export function orderOf(
  draft: Draft,
  { size }: Reading,
  { clientOrderId, symbol }: { symbol: string; clientOrderId: string },
): OrderIn {
  const { kind, price, selfTrade, side, stop } = draft;
  const isLimit = hasPrice(kind);
  const isPostOnly = mayPostOnly(draft) && draft.isPostOnly;
  return {
    symbol,
    side,
    type: isLimit ? 'limit' : 'market',
    size,
    ...(isLimit && { price }),
    ...(hasStop(kind) && { stop }),
    ...(takesProfit(kind) && { trigger: 'take_profit' as const }),
    ...(isPostOnly && { meta: { post_only: true } }),
    ...(mayExpire(draft) &&
      isTime(draft.expiresAt) && {
        expires_at: new Date(draft.expiresAt).toISOString(),
      }),
    time_in_force: sentTimeInForce(draft),
    self_trade_prevention: selfTrade,
    client_order_id: clientOrderId,
  };
}

function isTime(text: string): boolean {
  return text !== '' && !Number.isNaN(Date.parse(text));
}

/** Returns the stop to link to the order of the draft; undefined for none. */
export function linkedStopOf(
  draft: Draft,
  { size }: Reading,
  to: { symbol: string; clientOrderId: string },
): (OrderIn & { client_order_id: string }) | undefined {
  if (!hasLinkedStop(draft)) return undefined;
  return {
    symbol: to.symbol,
    side: draft.side,
    type: 'market',
    size,
    stop: draft.linkedStop,
    time_in_force: 'IOC',
    self_trade_prevention: draft.selfTrade,
    client_order_id: to.clientOrderId,
  };
}
