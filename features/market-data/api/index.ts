// Wire definitions for market-data: routes, schemas and errors.

export { candleJson } from './candle.ts';
export {
  CHART_RESOLUTION_NAMES,
  type ChartResolutionName,
  chartResolution,
  UDF_RESOLUTIONS,
} from './chart-resolutions.ts';
export { chartRoutes, MiniChartPoint } from './chart-routes.ts';
export { Auction, marketDataRoutes, OraclePrices, OrderBook } from './market-data-routes.ts';
export {
  PublicTrade,
  publicTradeJson,
  publicTradeOfMarketJson,
} from './public-trade.ts';
export { tickerJsonBody } from './ticker.ts';
export { UdfConfig, UdfSearchResult, UdfSymbol } from './udf.ts';
export { udfRoutes } from './udf-routes.ts';
