// The filters of lists, as values of statements; null if the client did not set them.

import type { AssetId, MarketId } from '../../../core/money/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';

export function marketFilter(
  { catalogue }: Dependencies,
  symbol: string | undefined,
): MarketId | null {
  if (symbol === undefined) return null;
  const market = catalogue.now.marketsBySymbol.get(symbol.toLowerCase());
  if (market === undefined) throw new ApiRefusal('symbol_invalid', { symbol });
  return market.market;
}

export function assetFilter(
  { catalogue }: Dependencies,
  currency: string | undefined,
): AssetId | null {
  if (currency === undefined) return null;
  const asset = catalogue.now.assetsBySymbol.get(currency.toLowerCase());
  if (asset === undefined) throw new ApiRefusal('currency_invalid', { currency });
  return asset.asset;
}

/** A date without a time is midnight; a time without a zone is UTC. */
export function momentFilter(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const isLocal = /[T ][\d:.]+$/.test(text);
  return new Date(isLocal ? `${text}Z` : text);
}
