// Every route's handler, under the route's name.

import type { Handlers } from './handler.ts';
import { getBalance } from './handlers/get-balance.ts';
import { getChart } from './handlers/get-chart.ts';
import { getCharts } from './handlers/get-charts.ts';
import { getConstants } from './handlers/get-constants.ts';
import { getHealth } from './handlers/get-health.ts';
import { getKit } from './handlers/get-kit.ts';
import { getMiniCharts } from './handlers/get-mini-charts.ts';
import { getOraclePrices } from './handlers/get-oracle-prices.ts';
import { getOrderBook } from './handlers/get-order-book.ts';
import { getOrderBooks } from './handlers/get-order-books.ts';
import { getOrders } from './handlers/get-orders.ts';
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
import { signForDevelopment } from './handlers/sign-for-development.ts';

export const handlers: Partial<Handlers> = {
  getBalance,
  getChart,
  getCharts,
  getConstants,
  getHealth,
  getKit,
  getMiniCharts,
  getOraclePrices,
  getOrderBook,
  getOrderBooks,
  getOrders,
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
  signForDevelopment,
};
