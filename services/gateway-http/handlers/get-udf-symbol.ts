// How a market is drawn, for charting libraries.

import type { Routes, UdfSymbol } from '../../../protocol/index.ts';
import { udfSymbolOf } from '../descriptions/udf.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export function getUdfSymbol({ query }: Call<Routes['getUdfSymbol']>, parts: Parts): UdfSymbol {
  return udfSymbolOf(requireMarket(parts, query.symbol), parts.exchange.name);
}
