// The last trades of a market or of every market, newest first, from memory.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { textByMarket, tradesText } from '../market-texts.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export function getTrades({ query }: Call<Routes['getTrades']>, parts: Parts): JsonText {
  if (query.symbol === undefined) return new JsonText(textByMarket(parts, tradesText));
  const { symbol } = requireMarket(parts, query.symbol);
  return new JsonText(`{"${symbol}":${tradesText(parts, symbol)}}`);
}
