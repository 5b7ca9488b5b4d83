// Interprets a quote: its price, its fee, and how long it is valid.

import type { Constants, Quote } from '../../../client/index.ts';
import { divide, isZero, multiply, scaleOf, subtract, withScale } from '../../decimals/index.ts';

export interface ConvertedPair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

/** Returns the market for a conversion; undefined if the exchange does not offer it. */
export function pairFor(
  { pairs, quicktrade }: Pick<Constants, 'pairs' | 'quicktrade'>,
  give: string,
  get: string,
): ConvertedPair | undefined {
  for (const { active, symbol } of quicktrade) {
    const pair = pairs[symbol];
    if (!active || pair === undefined || !pair.active) continue;
    const { pair_2: quote, pair_base: base } = pair;
    if ((base === give && quote === get) || (base === get && quote === give)) {
      return { symbol, base, quote };
    }
  }
  return undefined;
}

/** Returns all convertible assets, or those that one asset can be converted to. */
export function convertibleCoins(
  constants: Pick<Constants, 'coins' | 'pairs' | 'quicktrade'>,
  partner?: string,
): string[] {
  return Object.keys(constants.coins).filter((coin) =>
    partner === undefined
      ? Object.keys(constants.coins).some((other) => pairFor(constants, coin, other) !== undefined)
      : pairFor(constants, coin, partner) !== undefined,
  );
}

export interface QuoteTerms {
  /** Units of the quote asset for one unit of the base asset. */
  readonly price: string;
  readonly fee: string;
  /** Amount after the fee. */
  readonly net: string;
}

/** `rate` is the taker fee in percent. The fee is rounded up, so `net` never promises too much. */
export function termsOf(
  quote: Quote,
  {
    coinIncrement,
    pair,
    priceIncrement,
    rate,
  }: { pair: ConvertedPair; rate: string; coinIncrement: string; priceIncrement: string },
): QuoteTerms {
  const isBuy = quote.receiving_currency === pair.base;
  const [inQuote, inBase] = isBuy
    ? [quote.spending_amount, quote.receiving_amount]
    : [quote.receiving_amount, quote.spending_amount];
  const scale = scaleOf(coinIncrement);
  const exact = divide(multiply(quote.receiving_amount, rate), '100', {
    scale: scale + 4,
    rounding: 'up',
  });
  const fee = withScale(exact, scale, 'up');
  return {
    price: isZero(inBase)
      ? '0'
      : divide(inQuote, inBase, {
          scale: scaleOf(priceIncrement),
          rounding: isBuy ? 'up' : 'down',
        }),
    fee,
    net: subtract(quote.receiving_amount, fee),
  };
}

/** Returns the remaining lifetime, from 1 (just quoted) to 0 (expired). */
export function validityLeft(fromMs: number, expiresMs: number, nowMs: number): number {
  if (expiresMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (expiresMs - nowMs) / (expiresMs - fromMs)));
}
