// The last 24 hours of every market, from memory.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { textByMarket, tickerOfAllText } from '../market-texts.ts';
import type { Parts } from '../parts.ts';

export function getTickers(_call: Call<Routes['getTickers']>, parts: Parts): JsonText {
  return new JsonText(textByMarket(parts, tickerOfAllText));
}
