// Parts of the portfolio handlers that other features use.

export { answerBalanceHistory } from './balance-history.ts';
export { readTradingVolume } from './traded-volume.ts';
