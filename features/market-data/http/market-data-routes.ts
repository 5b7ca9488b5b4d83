// Handlers for public market data. All except the trade history respond from memory.

import {
  type Dependencies,
  type HandlersOf,
  JsonText,
  requireMarket,
} from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  auctionText,
  bookText,
  textByMarket,
  tickerOfAllText,
  tickerText,
  tradesText,
} from './market-texts.ts';
import { getOraclePrices } from './oracle-prices.ts';
import { getTradesHistory } from './trades-history.ts';

export const marketDataRoutes: HandlersOf<'marketData'> = {
  getOraclePrices,
  getTradesHistory,

  getTicker({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { symbol } = market;
    return new JsonText(tickerText(dependencies, symbol));
  },

  getTickers: (_call, dependencies) => allTickers(dependencies),
  getTickerAll: (_call, dependencies) => allTickers(dependencies),

  /** The most frequent request. */
  getOrderBook({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { symbol } = market;
    return new JsonText(`{"${symbol}":${bookText(dependencies, symbol)}}`);
  },

  getOrderBooks: (_call, dependencies) => new JsonText(textByMarket(dependencies, bookText)),

  getAuction({ query }, dependencies) {
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { symbol } = market;
    return new JsonText(`{"${symbol}":${auctionText(dependencies, symbol)}}`);
  },

  /** Newest first. */
  getTrades({ query }, dependencies) {
    if (query.symbol === undefined) return new JsonText(textByMarket(dependencies, tradesText));
    const market = requireMarket(dependencies, query.symbol);
    if (market instanceof Refused) return market;
    const { symbol } = market;
    return new JsonText(`{"${symbol}":${tradesText(dependencies, symbol)}}`);
  },
};

function allTickers(dependencies: Dependencies): JsonText {
  return new JsonText(textByMarket(dependencies, tickerOfAllText));
}
