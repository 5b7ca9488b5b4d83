// The value of one asset in another, through the markets between them: directly, inverted, or over
// one bridge asset. Pure: the caller supplies each market's price.

import { inverse, ONE, product, type Ratio } from './ratio.ts';

/** A market that may connect two assets. */
export interface PricedMarket {
  readonly symbol: string;
  readonly base: { readonly symbol: string };
  readonly quote: { readonly symbol: string };
}

/** One market of a route, in its direction or inverted. */
export interface Leg<Market extends PricedMarket> {
  readonly market: Market;
  readonly isInverse: boolean;
}

/** Empty from an asset to itself. */
export type PriceRoute<Market extends PricedMarket> = readonly Leg<Market>[];

export interface RouteQuestion<Market extends PricedMarket> {
  readonly asset: string;
  readonly quote: string;
  /** In the order in which they are tried as a bridge. */
  readonly markets: ReadonlyMap<string, Market>;
  /** Tried first as a bridge. */
  readonly bridge?: string | undefined;
  /** Whether the market has a price. */
  readonly hasPrice: (market: Market) => boolean;
}

/** Undefined if no route of markets with prices exists. */
export function findRoute<Market extends PricedMarket>(
  question: RouteQuestion<Market>,
): PriceRoute<Market> | undefined {
  const { asset, bridge, markets, quote } = question;
  if (asset === quote) return [];
  const direct = legBetween(asset, quote, question);
  if (direct !== undefined) return [direct];
  const bridges = new Set(bridge === undefined ? [] : [bridge]);
  for (const market of markets.values()) {
    if (market.base.symbol === asset) bridges.add(market.quote.symbol);
    if (market.quote.symbol === asset) bridges.add(market.base.symbol);
  }
  for (const between of bridges) {
    const first = legBetween(asset, between, question);
    const second = legBetween(between, quote, question);
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return undefined;
}

function legBetween<Market extends PricedMarket>(
  from: string,
  to: string,
  { hasPrice, markets }: RouteQuestion<Market>,
): Leg<Market> | undefined {
  const along = markets.get(`${from}-${to}`);
  if (along !== undefined && hasPrice(along)) return { market: along, isInverse: false };
  const against = markets.get(`${to}-${from}`);
  if (against !== undefined && hasPrice(against)) return { market: against, isInverse: true };
  return undefined;
}

/** Undefined while a market of the route has no price. */
export function priceAlong<Market extends PricedMarket>(
  route: PriceRoute<Market>,
  priceOf: (market: Market) => Ratio | undefined,
): Ratio | undefined {
  let price = ONE;
  for (const { isInverse, market } of route) {
    const step = priceOf(market);
    if (step === undefined || step.over === 0n) return undefined;
    price = product(price, isInverse ? inverse(step) : step);
  }
  return price;
}
