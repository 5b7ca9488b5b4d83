// Candles of a market, oldest first. When there are more than fit, those from `from` on: whoever
// wants the rest asks again from the last one.

import type { Routes } from '../../../protocol/index.ts';
import { chartText } from '../charts/chart-texts.ts';
import { CHART_CANDLES_MAX, readCharts, timeMsOf } from '../charts/read-charts.ts';
import { type Call, JsonText } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export async function getChart(
  { query }: Call<Routes['getChart']>,
  parts: Parts,
): Promise<JsonText> {
  const market = requireMarket(parts, query.symbol);
  const { resolution } = query;
  const [fromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
  const range = { fromMs, toMs, limit: CHART_CANDLES_MAX, keep: 'first' } as const;
  const found = await readCharts(parts.candles, { markets: [market], resolution, range });
  return new JsonText(chartText(market, found.get(market) ?? []));
}
