// The price of one unit of every listed coin in one of them, by last prices, for limits over
// several coins. A coin without a price is left out: a limit that needs it refuses.

import { decimalOfRatio, priceAlong } from '../../../core/market-data/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { lastPrice, routeBetween } from '../market-data/market-prices.ts';

export function pricesIn(
  dependencies: Dependencies,
  quote: string,
): Readonly<Record<string, string>> {
  const prices: Record<string, string> = {};
  for (const asset of dependencies.catalogue.now.assetsBySymbol.keys()) {
    const route = routeBetween(dependencies, { asset, quote });
    const price = route && priceAlong(route, ({ symbol }) => lastPrice(dependencies, symbol));
    if (price !== undefined) prices[asset] = decimalOfRatio(price);
  }
  return prices;
}
