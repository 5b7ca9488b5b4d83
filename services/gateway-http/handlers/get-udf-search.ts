// Markets whose name contains a text, for charting libraries.

import type { Routes, UdfSearchResult } from '../../../protocol/index.ts';
import { udfSearch } from '../descriptions/udf.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';

export function getUdfSearch(
  { query }: Call<Routes['getUdfSearch']>,
  { catalogue, exchange }: Parts,
): UdfSearchResult[] {
  return udfSearch(catalogue.now.marketsBySymbol.values(), {
    text: query.query ?? '',
    limit: query.limit,
    exchange: exchange.name,
  });
}
