// The best levels of every market, from memory.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { bookText, textByMarket } from '../market-texts.ts';
import type { Parts } from '../parts.ts';

export function getOrderBooks(_call: Call<Routes['getOrderBooks']>, parts: Parts): JsonText {
  return new JsonText(textByMarket(parts, bookText));
}
