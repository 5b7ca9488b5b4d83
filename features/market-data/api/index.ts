// The wire of market-data: its routes, schemas and errors.

export { Auction } from './auction.ts';
export { candleJson } from './candle.ts';
export {
  CHART_RESOLUTION_NAMES,
  type ChartResolutionName,
  chartResolution,
  UDF_RESOLUTIONS,
} from './chart-resolutions.ts';
export { chartRoutes } from './chart-routes.ts';
export { marketDataRoutes } from './market-data-routes.ts';
export { MiniChartPoint } from './mini-chart.ts';
export { OraclePrices } from './oracle-prices.ts';
export { OrderBook } from './order-book.ts';
export {
  PublicTrade,
  publicTradeJson,
  publicTradeOfMarketJson,
} from './public-trade.ts';
export { tickerJsonBody } from './ticker.ts';
export { UdfConfig, UdfSearchResult, UdfSymbol } from './udf.ts';
export { udfRoutes } from './udf-routes.ts';
