// Public market data: tickers, order books, trades and prices. No credentials needed.

import { Type } from 'typebox';
import { SIDES } from '../../core/messages/index.ts';
import { OraclePrices } from '../resources/oracle-prices.ts';
import { OrderBook } from '../resources/order-book.ts';
import { listQuery, pagedList } from '../resources/paged-list.ts';
import { PublicTrade, PublicTradeOfMarket } from '../resources/public-trade.ts';
import { Ticker, TickerOfAll } from '../resources/ticker.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_LIGHT, WEIGHT_LIST } from '../weights.ts';
import { CurrencyIn, DecimalIn, listIn, mapOf, oneOf, SymbolIn } from '../wire-types.ts';

const open = { permission: { who: 'anyone' }, effect: 'read', status: 200, method: 'GET' } as const;

const ofSymbol = Type.Object({ symbol: SymbolIn });

/** The assets that a caller names, separated by commas. */
export const AssetsIn = listIn(CurrencyIn, { itemsMax: 200, description: 'Separated by commas.' });

export const marketDataRoutes = {
  getTicker: defineRoute({
    ...open,
    path: '/v2/ticker',
    summary: 'The last 24 hours of a market',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: ofSymbol,
    response: Ticker,
  }),
  getTickers: defineRoute({
    ...open,
    path: '/v2/tickers',
    summary: 'The last 24 hours of every market',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(TickerOfAll),
  }),
  getTickerAll: defineRoute({
    ...open,
    path: '/v2/ticker/all',
    summary: 'The same as /v2/tickers, under its older name',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(TickerOfAll),
  }),
  getOrderBook: defineRoute({
    ...open,
    path: '/v2/orderbook',
    summary: 'The ten best levels of each side of a market',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: ofSymbol,
    response: mapOf(OrderBook),
  }),
  getOrderBooks: defineRoute({
    ...open,
    path: '/v2/orderbooks',
    summary: 'The ten best levels of every market',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(OrderBook),
  }),
  getTrades: defineRoute({
    ...open,
    path: '/v2/trades',
    summary: 'The last 30 trades of a market, or of every market',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: Type.Object({ symbol: Type.Optional(SymbolIn) }),
    response: mapOf(Type.Array(PublicTrade)),
  }),
  getTradesHistory: defineRoute({
    ...open,
    path: '/v2/trades/history',
    summary: 'Past trades, by pages',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: listQuery({ symbol: Type.Optional(SymbolIn), side: Type.Optional(oneOf(SIDES)) }),
    response: pagedList(PublicTradeOfMarket),
  }),
  getOraclePrices: defineRoute({
    ...open,
    path: '/v2/oracle/prices',
    summary: 'The value of an amount of each asset in another asset',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      assets: AssetsIn,
      quote: Type.Optional(CurrencyIn),
      amount: Type.Optional(DecimalIn),
    }),
    response: OraclePrices,
  }),
} as const;
