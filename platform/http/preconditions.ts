// Preconditions that handlers share. Each one throws an ApiRefusal if it is not met.

import type { MarketEntry } from '../../features/listings/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

const RETRY_AFTER_S = 1;

/**
 * Resolves when the tables have everything acknowledged so far; refuses if they take too long. Call
 * it before every read of a user's rows.
 */
export async function requireFresh({ fresh }: Dependencies, timeoutMs?: number): Promise<void> {
  if (!(await fresh.untilFresh(timeoutMs)))
    throw new ApiRefusal('tables_behind', {}, RETRY_AFTER_S);
}

/** The market that a caller names. Symbols are lower case; upper case is accepted. */
export function requireMarket(
  { catalogue }: { readonly catalogue: Pick<Dependencies['catalogue'], 'now'> },
  symbol: string,
): MarketEntry {
  const { marketsBySymbol } = catalogue.now;
  const market = marketsBySymbol.get(symbol) ?? marketsBySymbol.get(symbol.toLowerCase());
  if (market === undefined) throw new ApiRefusal('symbol_invalid', { symbol });
  return market;
}
