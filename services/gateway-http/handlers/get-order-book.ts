// The best levels of a market, from memory. Asked more often than anything else.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { bookText } from '../market-texts.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export function getOrderBook({ query }: Call<Routes['getOrderBook']>, parts: Parts): JsonText {
  const { symbol } = requireMarket(parts, query.symbol);
  return new JsonText(`{"${symbol}":${bookText(parts, symbol)}}`);
}
