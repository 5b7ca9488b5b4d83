// The price of every asset in one pricing currency, by last prices: directly, inverted, or over one
// bridge asset.

import type { Ticks } from '../money/index.ts';
import { findRoute, priceAlong } from './asset-prices.ts';
import type { ListedMarket, MarketData } from './market-data.ts';
import type { Ratio } from './ratio.ts';

/** The pricing currency and first bridge, if it is listed. */
const USUAL_QUOTE = 'usdt';

export interface AssetPrice {
  readonly symbol: string;
  readonly price: Ratio;
}

/** Assets with a price; none if nothing was ever traded. */
export function priceList({ assets, markets }: MarketData): AssetPrice[] {
  const priced = new Map<string, ListedMarket>();
  const lastTicks = new Map<ListedMarket, Ticks>();
  for (const { day, listed, status } of markets.values()) {
    // The last price of a delisted market is meaningless.
    if (day.lastTicks === 0 || status === 'delisted' || status === 'inactive') continue;
    priced.set(listed.symbol, listed);
    lastTicks.set(listed, day.lastTicks);
  }
  const [first] = priced.values();
  if (first === undefined) return [];
  const symbols = Array.from(assets.values(), ({ symbol }) => symbol);
  const quote = symbols.includes(USUAL_QUOTE) ? USUAL_QUOTE : first.quote.symbol;
  return symbols.flatMap((asset) => {
    const question = { asset, quote, markets: priced, bridge: USUAL_QUOTE, hasPrice: () => true };
    const route = findRoute(question);
    const price = route && priceAlong(route, (market) => ratioOf(market, lastTicks.get(market)));
    return price === undefined ? [] : [{ symbol: asset, price }];
  });
}

function ratioOf({ tick }: ListedMarket, ticks: Ticks | undefined): Ratio | undefined {
  if (ticks === undefined) return undefined;
  return { over: BigInt(ticks) * BigInt(tick.mantissa), under: 10n ** BigInt(tick.scale) };
}
