// Market data: candles, charts, books, tickers, and the prices that value amounts.

export { CANDLE_MEMORY_DEFAULTS, CandleMemory } from './candles/candle-memory.ts';
export { candleTables } from './candles/candle-tables.ts';
export {
  cautiousPrices,
  closingPrices,
  conservativePrices,
  type Prices,
} from './valuation/prices.ts';
