// What one unit of every listed coin is worth in one of them, by last prices, for limits that cover
// several coins. A coin without a price is left out: a limit that needs it is refused.

import { decimalOfRatio, priceAlong } from '../../../core/market-data/index.ts';
import type { Parts } from '../parts.ts';
import { lastPrice, routeBetween } from '../prices/market-prices.ts';

export function pricesIn(parts: Parts, quote: string): Readonly<Record<string, string>> {
  const prices: Record<string, string> = {};
  for (const asset of parts.catalogue.now.assetsBySymbol.keys()) {
    const route = routeBetween(parts, { asset, quote });
    const price = route && priceAlong(route, ({ symbol }) => lastPrice(parts, symbol));
    if (price !== undefined) prices[asset] = decimalOfRatio(price);
  }
  return prices;
}
