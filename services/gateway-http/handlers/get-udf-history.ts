// Candles as columns, for charting libraries. When there are more than fit, the newest: a library
// asks for older ones as its user moves back.

import type { Routes } from '../../../protocol/index.ts';
import { columnsText, noColumnsText } from '../charts/chart-texts.ts';
import { CHART_CANDLES_MAX, readCharts, timeMsOf } from '../charts/read-charts.ts';
import { type Call, JsonText } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export async function getUdfHistory(
  { query }: Call<Routes['getUdfHistory']>,
  parts: Parts,
): Promise<JsonText> {
  const market = requireMarket(parts, query.symbol);
  const { countback, resolution } = query;
  const read = async (range: { fromMs: number; toMs: number; limit: number }) => {
    const asked = { markets: [market], resolution, range: { ...range, keep: 'last' } as const };
    return (await readCharts(parts.candles, asked)).get(market) ?? [];
  };
  const [askedFromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
  // A count stands above the time: so many, however far back they lie.
  const fromMs = countback === undefined ? askedFromMs : 0;
  const limit = Math.min(countback ?? CHART_CANDLES_MAX, CHART_CANDLES_MAX);
  const candles = await read({ fromMs, toMs, limit });
  if (candles.length > 0) return new JsonText(columnsText(market, candles));
  const before = await read({ fromMs: 0, toMs: fromMs - 1, limit: 1 });
  return new JsonText(noColumnsText(before.at(-1)));
}
