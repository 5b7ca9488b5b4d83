// Actions of operators in trading.

export { TRADING_ACTS } from './acts.ts';
