// Protocol: what can be asked of the exchange over the network and what is answered, as data.
// Knows neither handlers nor connections.

export * from './chart-resolutions.ts';
export * from './resources/balance.ts';
export * from './resources/candle.ts';
export * from './resources/coin.ts';
export * from './resources/constants.ts';
export * from './resources/dead-man-switch.ts';
export * from './resources/deposit-withdrawal.ts';
export * from './resources/error-body.ts';
export * from './resources/health.ts';
export * from './resources/kit.ts';
export * from './resources/mini-chart.ts';
export * from './resources/oracle-prices.ts';
export * from './resources/order.ts';
export * from './resources/order-book.ts';
export * from './resources/order-outcomes.ts';
export * from './resources/paged-list.ts';
export * from './resources/pair.ts';
export * from './resources/public-trade.ts';
export * from './resources/quote.ts';
export * from './resources/ticker.ts';
export * from './resources/tier.ts';
export * from './resources/udf.ts';
export * from './resources/user.ts';
export * from './resources/user-trade.ts';
export * from './resources/withdrawal-created.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './time-text.ts';
export * from './weights.ts';
export * from './wire-types.ts';
