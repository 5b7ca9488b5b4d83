// Last price of each market, from the feed, and the asset prices that follow from it.

import {
  findRoute,
  type PriceRoute,
  type Ratio,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import type { LiveFeed } from '../../../infra/live-feed/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { CatalogueNow, MarketEntry } from '../../listings/index.ts';
import { ASSETS_PER_CALL_MAX } from '../api/market-data-routes.ts';

/** Default quote of prices, and bridge of conversion paths. */
const USUAL_QUOTE = 'usdt';
const LAST = /"last":([0-9.]+)/;

export interface PriceSources {
  readonly catalogue: { readonly now: Pick<CatalogueNow, 'coins' | 'marketsBySymbol' | 'pairs'> };
  readonly feed: Pick<LiveFeed, 'get'>;
}

/** Returns undefined before the first trade. */
export function lastPrice({ feed }: Pick<PriceSources, 'feed'>, symbol: string): Ratio | undefined {
  const text = feed.get('ticker', symbol)?.text.match(LAST)?.[1];
  return text === undefined ? undefined : ratioFromDecimal(text);
}

/** Excludes inactive markets, because their last price is out of date. */
export function routeBetween(
  { catalogue, feed }: PriceSources,
  { asset, quote }: { readonly asset: string; readonly quote: string },
): PriceRoute<MarketEntry> | undefined {
  const { coins, marketsBySymbol, pairs } = catalogue.now;
  const isOn = ({ base, quote: other, symbol }: MarketEntry) =>
    pairs.get(symbol)?.active === true &&
    coins.get(base.symbol)?.active === true &&
    coins.get(other.symbol)?.active === true;
  return findRoute({
    asset,
    quote,
    markets: marketsBySymbol,
    bridge: USUAL_QUOTE,
    hasPrice: (market) => isOn(market) && lastPrice({ feed }, market.symbol) !== undefined,
  });
}

export interface RequestedAssets {
  readonly assets: readonly string[];
  readonly quote: string;
}

// A client that omits its argument sends this word; it gets all assets.
const FORGOTTEN = 'undefined';

/** In lower case and without duplicates. Leaves out unknown assets unless none is known. */
export function requireAssets(
  now: CatalogueNow,
  query: { readonly assets: readonly string[]; readonly quote?: string | undefined },
): RequestedAssets | Refused<'asset_invalid'> {
  const { quote = usualQuote(now) } = query;
  const symbolOf = (given: string) => given.trim().toLowerCase();
  const isListed = (symbol: string) => now.assetsBySymbol.has(symbol);
  if (!isListed(symbolOf(quote))) return new Refused('asset_invalid', { currency: quote });
  const [first] = query.assets;
  const isForgotten = query.assets.length === 1 && first === FORGOTTEN && !isListed(FORGOTTEN);
  const given = isForgotten
    ? [...now.assetsBySymbol.keys()].slice(0, ASSETS_PER_CALL_MAX)
    : query.assets.map(symbolOf);
  const assets = [...new Set(given)].filter(isListed);
  if (assets.length === 0) return new Refused('asset_invalid', { currency: first });
  return { assets, quote: symbolOf(quote) };
}

export function usualQuote({ assetsBySymbol, kit, marketsBySymbol }: CatalogueNow): string {
  const native = `${kit.native_currency}`;
  for (const symbol of [USUAL_QUOTE, native]) if (assetsBySymbol.has(symbol)) return symbol;
  const [market] = marketsBySymbol.values();
  return market?.quote.symbol ?? native;
}
