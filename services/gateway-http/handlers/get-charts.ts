// Candles of every market, oldest first, from `from` on.

import type { Routes } from '../../../protocol/index.ts';
import { chartText } from '../charts/chart-texts.ts';
import { CHARTS_CANDLES_MAX, readCharts, timeMsOf } from '../charts/read-charts.ts';
import { type Call, JsonText } from '../handler.ts';
import type { Parts } from '../parts.ts';

export async function getCharts(
  { query }: Call<Routes['getCharts']>,
  parts: Parts,
): Promise<JsonText> {
  const { resolution } = query;
  const [fromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
  const range = { fromMs, toMs, limit: CHARTS_CANDLES_MAX, keep: 'first' } as const;
  const markets = [...parts.catalogue.now.marketsBySymbol.values()];
  const found = await readCharts(parts.candles, { markets, resolution, range });
  const texts = [...found].map(
    ([market, candles]) => `"${market.symbol}":${chartText(market, candles)}`,
  );
  return new JsonText(`{${texts.join(',')}}`);
}
