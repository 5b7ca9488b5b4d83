// The filters of lists, as values of statements; null if the client did not set them.

import type { AssetId, MarketId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Dependencies } from '../dependencies.ts';

export function marketFilter(
  { catalogue }: Dependencies,
  symbol: string | undefined,
): MarketId | Refused<'symbol_invalid'> | null {
  if (symbol === undefined) return null;
  const market = catalogue.now.marketsBySymbol.get(symbol.toLowerCase());
  return market?.market ?? new Refused('symbol_invalid', { symbol });
}

export function assetFilter(
  { catalogue }: Dependencies,
  currency: string | undefined,
): AssetId | Refused<'currency_invalid'> | null {
  if (currency === undefined) return null;
  const asset = catalogue.now.assetsBySymbol.get(currency.toLowerCase());
  return asset?.asset ?? new Refused('currency_invalid', { currency });
}

/** A date without a time is midnight; a time without a zone is UTC. */
export function momentFilter(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const isLocal = /[T ][\d:.]+$/.test(text);
  return new Date(isLocal ? `${text}Z` : text);
}
