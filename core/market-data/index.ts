// Market data: orders, books, candles, tickers and last trades, derived from events alone. Knows
// neither how events are decided nor how data is sent.

export { findRoute, type PricedMarket, type PriceRoute, priceAlong } from './asset-prices.ts';
export { type Candle, candleOfTrade, joined, mergeCandles } from './candles.ts';
export { indicativePrice } from './indicative-price.ts';
export {
  type ListedAsset,
  type ListedMarket,
  type MarketChange,
  MarketData,
  type MarketState,
} from './market-data.ts';
export { type MarketTrade, marketTradeOf } from './market-trade.ts';
export {
  foldOrderEvent,
  isKnownExactly,
  makerSide,
  type OpenOrder,
  type OrderEventTarget,
  type OrderState,
  openOrder,
  orderAfter,
  orderStatus,
  placedOrder,
  type TradeSide,
  takerSide,
} from './order-fold.ts';
export { type PriceLevel, PriceLevels } from './price-levels.ts';
export { type AssetPrice, priceList } from './price-list.ts';
export { decimalOfRatio, ONE, product, type Ratio, ratioFromDecimal } from './ratio.ts';
export {
  candleStartMs,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  RESOLUTION_MS,
  RESOLUTIONS,
  type Resolution,
} from './resolutions.ts';
export {
  MARKET_DATA_VERSION,
  MarketDataRestorer,
  type SavedRow,
  saveMarketData,
} from './saved-market-data.ts';
export {
  averageText,
  percentText,
  priceText,
  secondsOf,
  sizeText,
  volumeText,
} from './wire-values.ts';
