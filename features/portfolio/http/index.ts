// Parts of the handlers of portfolio that handlers of other features use.

export { answerBalanceHistory, getBalanceHistory } from './balance-history.ts';
export { closedDays } from './closed-days.ts';
export { type Prices, priceOf, pricesOfDay, statisticsCurrency } from './daily-prices.ts';
export { getTradingVolume, getUserStats, readTradingVolume } from './traded-volume.ts';
