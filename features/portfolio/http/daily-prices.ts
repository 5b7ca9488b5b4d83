// Closing prices of past days in the statistics currency. They follow the operator's current
// references and the active markets, so a gateway caches a day's prices for an hour at most.

import { DAY_MS } from '../../../core/market-data/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import type { AssetEntry } from '../../listings/index.ts';
import { closingPrices, type Prices } from '../../market-data/index.ts';

const SCALE_OF_UNLISTED = 8;
/** Ten years. */
const DAYS_MAX = 3_660;
const KEPT_MS = 3_600_000;
const kept = new Map<string, { readonly prices: Prices; readonly readMs: number }>();

/** The operator's choice, with the decimals of its amounts. */
export function statisticsCurrency({ catalogue }: Dependencies): {
  readonly currency: string;
  readonly scale: number;
} {
  const { assetsBySymbol, kit } = catalogue.now;
  const config = kit.balance_history_config as { currency?: unknown } | undefined;
  const chosen = typeof config?.currency === 'string' ? config.currency : kit.native_currency;
  const currency = `${chosen}`.toLowerCase();
  return { currency, scale: assetsBySymbol.get(currency)?.scale ?? SCALE_OF_UNLISTED };
}

/** Returns the prices at the end of a closed day. */
export async function pricesOfDay(dependencies: Dependencies, dayMs: number): Promise<Prices> {
  const { currency } = statisticsCurrency(dependencies);
  const key = `${currency} ${dayMs}`;
  const nowMs = dependencies.clock.nowMs();
  const found = kept.get(key);
  if (found !== undefined && nowMs - found.readMs < KEPT_MS) return found.prices;
  const prices = await closingPrices(dependencies.registry, {
    quote: currency,
    projectionSchema: dependencies.exchange.projectionSchema,
    at: new Date(dayMs + DAY_MS),
  });
  kept.delete(key);
  if (kept.size >= DAYS_MAX) kept.delete(kept.keys().next().value!);
  kept.set(key, { prices, readMs: nowMs });
  return prices;
}

/** Returns undefined without a price. */
export function priceOf(
  prices: Prices,
  { symbol }: AssetEntry,
  currency: string,
): string | undefined {
  if (symbol === currency) return '1';
  return Object.hasOwn(prices, symbol) ? prices[symbol] : undefined;
}
