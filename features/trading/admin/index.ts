// Operator actions for trading.

export { TRADING_ACTS } from './acts.ts';
