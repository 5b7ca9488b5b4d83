// Public market data and descriptions: calls that anyone may make, without credentials.

import { Type } from 'typebox';
import { SIDES } from '../../core/messages/index.ts';
import { CHART_RESOLUTION_NAMES } from '../chart-resolutions.ts';
import { Candle } from '../resources/candle.ts';
import { Constants } from '../resources/constants.ts';
import { Health } from '../resources/health.ts';
import { Kit } from '../resources/kit.ts';
import { MiniChartPoint } from '../resources/mini-chart.ts';
import { OraclePrices } from '../resources/oracle-prices.ts';
import { OrderBook } from '../resources/order-book.ts';
import { listQuery, pagedList } from '../resources/paged-list.ts';
import { PublicTrade, PublicTradeOfMarket } from '../resources/public-trade.ts';
import { Ticker, TickerOfAll } from '../resources/ticker.ts';
import { Tier } from '../resources/tier.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY, WEIGHT_LIGHT, WEIGHT_LIST } from '../weights.ts';
import { CurrencyIn, DecimalIn, listIn, mapOf, oneOf, SymbolIn } from '../wire-types.ts';

const open = { permission: { who: 'anyone' }, effect: 'read', status: 200, method: 'GET' } as const;

const ofSymbol = Type.Object({ symbol: SymbolIn });

/** Charting libraries may ask for times before 1970, and some clients say milliseconds. */
export const SecondsIn = Type.Integer({
  minimum: 0,
  maximum: 100_000_000_000_000,
  clamped: true,
  description: 'Unix seconds. What is above 100,000,000,000 is taken as milliseconds.',
});

export const ResolutionIn = oneOf(
  CHART_RESOLUTION_NAMES,
  'Minutes, or letters for hours, days and weeks; all names that clients use are taken.',
);

const assets = listIn(CurrencyIn, { itemsMax: 200, description: 'Parted by commas.' });

export const describingRoutes = {
  getHealth: defineRoute({
    ...open,
    path: '/v2/health',
    summary: 'Whether the exchange answers, and its version',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Health,
  }),
  getConstants: defineRoute({
    ...open,
    path: '/v2/constants',
    summary: 'All coins and pairs, with their bounds',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Constants,
  }),
  getKit: defineRoute({
    ...open,
    path: '/v2/kit',
    summary: 'How clients should look and behave',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Kit,
  }),
  getTiers: defineRoute({
    ...open,
    path: '/v2/tiers',
    summary: 'The levels of users, with their fees in percent',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(Tier),
  }),
} as const;

export const marketRoutes = {
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
    summary: 'Trades of the past, by pages',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: listQuery({ symbol: Type.Optional(SymbolIn), side: Type.Optional(oneOf(SIDES)) }),
    response: pagedList(PublicTradeOfMarket),
  }),
} as const;

export const chartRoutes = {
  getChart: defineRoute({
    ...open,
    path: '/v2/chart',
    summary: 'Candles of a market',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: Type.Object({
      symbol: SymbolIn,
      resolution: ResolutionIn,
      from: SecondsIn,
      to: SecondsIn,
    }),
    response: Type.Array(Candle),
  }),
  getCharts: defineRoute({
    ...open,
    path: '/v2/charts',
    summary: 'Candles of every market',
    tag: 'market data',
    weight: WEIGHT_HEAVY,
    query: Type.Object({ resolution: ResolutionIn, from: SecondsIn, to: SecondsIn }),
    response: mapOf(Type.Array(Candle)),
  }),
  getMiniCharts: defineRoute({
    ...open,
    path: '/v2/minicharts',
    summary: 'Few prices of each asset, for small pictures',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: Type.Object({
      assets,
      from: Type.Optional(SecondsIn),
      to: Type.Optional(SecondsIn),
      quote: Type.Optional(CurrencyIn),
      period: Type.Optional(Type.String({ maxLength: 2 })),
    }),
    response: mapOf(Type.Array(MiniChartPoint)),
  }),
  getOraclePrices: defineRoute({
    ...open,
    path: '/v2/oracle/prices',
    summary: 'What an amount of each asset is worth in another',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      assets,
      quote: Type.Optional(CurrencyIn),
      amount: Type.Optional(DecimalIn),
    }),
    response: OraclePrices,
  }),
} as const;
