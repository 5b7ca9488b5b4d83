// Market data: books, candles, tickers and last trades, made from events alone. Knows neither how
// anything was decided nor how it is sent.

export * from './candles.ts';
export * from './market-trade.ts';
export * from './resolutions.ts';
