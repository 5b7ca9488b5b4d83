// Statistics of a user: closing balances, profit and loss, traded volume. Sums of past days are
// computed once from the projected ledger and kept.

export {
  type BalanceDay,
  countBalanceDays,
  readAssetDays,
  readBalanceDays,
} from './balance-history.ts';
export { closeDays, DAY_MS, dayText } from './closed-days.ts';
export { type ProfitLoss, type ProfitLossOfAsset, profitLoss } from './profit-loss.ts';
export { totalValue } from './total-value.ts';
export { readMonths, readTraded, type Traded } from './traded-volume.ts';
