// The market that a caller names, or a refusal.

import type { MarketEntry } from '../../domain/catalogue/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

/** Symbols are lower case; upper case is accepted. */
export function requireMarket(
  { catalogue }: Pick<Dependencies, 'catalogue'>,
  symbol: string,
): MarketEntry {
  const { marketsBySymbol } = catalogue.now;
  const market = marketsBySymbol.get(symbol) ?? marketsBySymbol.get(symbol.toLowerCase());
  if (market === undefined) throw new ApiRefusal('symbol_invalid', { symbol });
  return market;
}
