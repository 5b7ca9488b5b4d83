// Every route's handler, under the route's name.

import type { Handlers } from './handler.ts';
import { amendOrder } from './handlers/amend-order.ts';
import { cancelAllOrders } from './handlers/cancel-all-orders.ts';
import { cancelOrder } from './handlers/cancel-order.ts';
import { cancelOrders } from './handlers/cancel-orders.ts';
import { cancelOrdersOfMarket } from './handlers/cancel-orders-of-market.ts';
import { cancelWithdrawal } from './handlers/cancel-withdrawal.ts';
import { changeBurn } from './handlers/change-burn.ts';
import { changeMint } from './handlers/change-mint.ts';
import { createOrder } from './handlers/create-order.ts';
import { createOrders } from './handlers/create-orders.ts';
import { createWithdrawal } from './handlers/create-withdrawal.ts';
import { executeQuote } from './handlers/execute-quote.ts';
import { getBalance } from './handlers/get-balance.ts';
import { getChart } from './handlers/get-chart.ts';
import { getCharts } from './handlers/get-charts.ts';
import { getConstants } from './handlers/get-constants.ts';
import { getDeadManSwitch } from './handlers/get-dead-man-switch.ts';
import { getDeposits } from './handlers/get-deposits.ts';
import { getDepositsOfUsers } from './handlers/get-deposits-of-users.ts';
import { getHealth } from './handlers/get-health.ts';
import { getKit } from './handlers/get-kit.ts';
import { getMiniCharts } from './handlers/get-mini-charts.ts';
import { getOraclePrices } from './handlers/get-oracle-prices.ts';
import { getOrder } from './handlers/get-order.ts';
import { getOrderBook } from './handlers/get-order-book.ts';
import { getOrderBooks } from './handlers/get-order-books.ts';
import { getOrders } from './handlers/get-orders.ts';
import { getQuote } from './handlers/get-quote.ts';
import { getTicker } from './handlers/get-ticker.ts';
import { getTickerAll } from './handlers/get-ticker-all.ts';
import { getTickers } from './handlers/get-tickers.ts';
import { getTiers } from './handlers/get-tiers.ts';
import { getTrades } from './handlers/get-trades.ts';
import { getTradesHistory } from './handlers/get-trades-history.ts';
import { getUdfConfig } from './handlers/get-udf-config.ts';
import { getUdfHistory } from './handlers/get-udf-history.ts';
import { getUdfSearch } from './handlers/get-udf-search.ts';
import { getUdfSymbol } from './handlers/get-udf-symbol.ts';
import { getUdfTime } from './handlers/get-udf-time.ts';
import { getUser } from './handlers/get-user.ts';
import { getUserTrades } from './handlers/get-user-trades.ts';
import { getWithdrawalFee } from './handlers/get-withdrawal-fee.ts';
import { getWithdrawalMax } from './handlers/get-withdrawal-max.ts';
import { getWithdrawals } from './handlers/get-withdrawals.ts';
import { getWithdrawalsOfUsers } from './handlers/get-withdrawals-of-users.ts';
import { mint } from './handlers/mint.ts';
import { setDeadManSwitch } from './handlers/set-dead-man-switch.ts';
import { signForDevelopment } from './handlers/sign-for-development.ts';

export const handlers: Handlers = {
  amendOrder,
  cancelAllOrders,
  cancelOrder,
  cancelOrders,
  cancelOrdersOfMarket,
  cancelWithdrawal,
  changeBurn,
  changeMint,
  createOrder,
  createOrders,
  createWithdrawal,
  executeQuote,
  getBalance,
  getChart,
  getCharts,
  getConstants,
  getDeadManSwitch,
  getDeposits,
  getDepositsOfUsers,
  getHealth,
  getKit,
  getMiniCharts,
  getOraclePrices,
  getOrder,
  getOrderBook,
  getOrderBooks,
  getOrders,
  getQuote,
  getTicker,
  getTickerAll,
  getTickers,
  getTiers,
  getTrades,
  getTradesHistory,
  getUdfConfig,
  getUdfHistory,
  getUdfSearch,
  getUdfSymbol,
  getUdfTime,
  getUser,
  getUserTrades,
  getWithdrawalFee,
  getWithdrawalMax,
  getWithdrawals,
  getWithdrawalsOfUsers,
  mint,
  setDeadManSwitch,
  signForDevelopment,
};
