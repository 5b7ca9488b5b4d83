// The last 24 hours of a market, from memory.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { tickerText } from '../market-texts.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export function getTicker({ query }: Call<Routes['getTicker']>, parts: Parts): JsonText {
  const { symbol } = requireMarket(parts, query.symbol);
  return new JsonText(tickerText(parts, symbol));
}
