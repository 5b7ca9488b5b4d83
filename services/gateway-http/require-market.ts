// The market that a caller means, or a refusal.

import type { MarketEntry } from '../../domain/catalogue/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

/** Symbols are lower case; clients that shout are understood. */
export function requireMarket(
  { catalogue }: Pick<Dependencies, 'catalogue'>,
  symbol: string,
): MarketEntry {
  const { marketsBySymbol } = catalogue.now;
  const market = marketsBySymbol.get(symbol) ?? marketsBySymbol.get(symbol.toLowerCase());
  if (market === undefined) throw new ApiRefusal('symbol_invalid', { symbol });
  return market;
}
