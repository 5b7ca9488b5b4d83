// Parts of the handlers of portfolio that handlers of other features use.

export { answerBalanceHistory } from './balance-history.ts';
export { readTradingVolume } from './traded-volume.ts';
