// Handlers for charting libraries, in the form of TradingView's universal data feed (UDF).

import { secondsOf } from '../../../core/market-data/index.ts';
import { type HandlersOf, JsonText, requireMarket } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { columnsText, noColumnsText } from './chart-texts.ts';
import { CHART_CANDLES_MAX, readCharts, timeMsOf } from './read-charts.ts';
import { UDF_CONFIG, udfSearch, udfSymbolOf } from './udf-descriptions.ts';

export const udfRoutes: HandlersOf<'udf'> = {
  getUdfConfig: () => UDF_CONFIG,

  getUdfTime: (_call, { clock }) => secondsOf(clock.nowMs()),

  getUdfSymbol({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    return udfSymbolOf(market, dependencies.exchange.name);
  },

  getUdfSearch({ query }, { catalogue, exchange }) {
    return udfSearch(catalogue.now.marketsBySymbol.values(), {
      text: query.query ?? '',
      limit: query.limit,
      exchange: exchange.name,
    });
  },

  /** Newest candles of the range; libraries request older ones as their user scrolls back. */
  async getUdfHistory({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { countback, resolution } = query;
    const read = async (range: { fromMs: number; toMs: number; limit: number }) => {
      const asked = { markets: [market], resolution, range: { ...range, keep: 'last' } as const };
      return (await readCharts(dependencies.candles, asked)).get(market) ?? [];
    };
    const [askedFromMs, toMs] = [timeMsOf(query.from), timeMsOf(query.to)];
    // `countback` takes precedence over `from`: that many candles, however old they are.
    const fromMs = countback === undefined ? askedFromMs : 0;
    const limit = Math.min(countback ?? CHART_CANDLES_MAX, CHART_CANDLES_MAX);
    const candles = await read({ fromMs, toMs, limit });
    if (candles.length > 0) return new JsonText(columnsText(market, candles));
    const before = await read({ fromMs: 0, toMs: fromMs - 1, limit: 1 });
    return new JsonText(noColumnsText(before.at(-1)));
  },
};
