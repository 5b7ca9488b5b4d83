// The older name of the tickers of every market.

import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { getTickers } from './get-tickers.ts';

export function getTickerAll(call: Call<Routes['getTickerAll']>, parts: Parts): JsonText {
  return getTickers(call, parts);
}
