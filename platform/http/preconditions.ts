// Preconditions that handlers share. Each one returns a refusal if it is not met.

import type { MarketEntry } from '../../features/listings/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { Dependencies } from './dependencies.ts';

const RETRY_AFTER_S = 1;

/**
 * Resolves when the tables have everything acknowledged so far; refuses if they take too long. Call
 * it before every read of a user's rows.
 */
export async function requireFresh(
  { fresh }: Pick<Dependencies, 'fresh'>,
  timeoutMs?: number,
): Promise<Refused<'tables_behind'> | undefined> {
  if (await fresh.untilFresh(timeoutMs)) return undefined;
  return new Refused('tables_behind', {}, RETRY_AFTER_S);
}

/** The market that a caller names. Symbols are lower case; upper case is accepted. */
export function requireMarket(
  { catalogue }: { readonly catalogue: Pick<Dependencies['catalogue'], 'now'> },
  symbol: string,
): MarketEntry | Refused<'symbol_invalid'> {
  const { marketsBySymbol } = catalogue.now;
  const market = marketsBySymbol.get(symbol) ?? marketsBySymbol.get(symbol.toLowerCase());
  return market ?? new Refused('symbol_invalid', { symbol });
}
