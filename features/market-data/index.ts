// Market data: candles, charts, books, tickers, and the prices that value amounts.

export { CANDLE_MEMORY_DEFAULTS, CandleMemory } from './candles/candle-memory.ts';
export { candleTables } from './candles/candle-tables.ts';
export type { CandleRange } from './candles/candle-window.ts';
export type { ChartCandle } from './candles/chart-candle.ts';
export { foldCandles, periodStartMs } from './candles/fold-candles.ts';
export { parseWithDigits } from './candles/parse-with-digits.ts';
