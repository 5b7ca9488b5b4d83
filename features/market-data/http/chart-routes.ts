// Handlers for candles and small price charts.

import { type HandlersOf, JsonText, requireMarket } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { chartText } from './chart-texts.ts';
import { getMiniCharts } from './mini-charts.ts';
import { CHART_CANDLES_MAX, CHARTS_CANDLES_MAX, readCharts, timeMsOf } from './read-charts.ts';

export const chartsRoutes: HandlersOf<'charts'> = {
  getMiniCharts,

  /** Oldest first, starting at `from`. Clients continue from the last candle of a response. */
  async getChart({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { resolution } = query;
    const [fromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
    const range = { fromMs, toMs, limit: CHART_CANDLES_MAX, keep: 'first' } as const;
    const found = await readCharts(dependencies.candles, { markets: [market], resolution, range });
    return new JsonText(chartText(market, found.get(market) ?? []));
  },

  /** Oldest first, starting at `from`. */
  async getCharts({ query }, dependencies) {
    const { resolution } = query;
    const [fromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
    const range = { fromMs, toMs, limit: CHARTS_CANDLES_MAX, keep: 'first' } as const;
    const markets = [...dependencies.catalogue.now.marketsBySymbol.values()];
    const found = await readCharts(dependencies.candles, { markets, resolution, range });
    const texts = [...found].map(
      ([market, candles]) => `"${market.symbol}":${chartText(market, candles)}`,
    );
    return new JsonText(`{${texts.join(',')}}`);
  },
};
