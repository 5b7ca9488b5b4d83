// Market data: books, candles, tickers and last trades, made from events alone. Knows neither how
// anything was decided nor how it is sent.

export * from './asset-prices.ts';
export * from './candles.ts';
export * from './day-ticker.ts';
export * from './last-trades.ts';
export * from './market-data.ts';
export * from './market-trade.ts';
export * from './open-orders.ts';
export * from './price-levels.ts';
export * from './price-list.ts';
export * from './ratio.ts';
export * from './resolutions.ts';
export * from './resting-orders.ts';
export * from './saved-market-data.ts';
export * from './wire-values.ts';
