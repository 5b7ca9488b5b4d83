// Public market data: tickers, order books, trades and prices. No credentials needed.

import type { Static } from 'typebox';
import { MARKET_STATUSES, SIDES } from '../../../core/messages/index.ts';
import {
  CurrencyIn,
  Decimal,
  DecimalIn,
  DecimalOrNull,
  defineRoute,
  field,
  listIn,
  listQuery,
  mapOf,
  NO_QUERY,
  oneOf,
  pagedList,
  SymbolIn,
  Timestamp,
  TimestampOrNull,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
  type WireDecimal,
} from '../../../protocol/wire/index.ts';
import { PublicTrade, PublicTradeOfMarket, publicTradeExample } from './public-trade.ts';
import { Ticker, TickerOfAll, tickerExample } from './ticker.ts';

const Level = Type.Unsafe<[price: WireDecimal, size: WireDecimal]>({
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'Price, size.',
});

/** At most 10 levels per side, best first. Public. */
export const OrderBook = Type.Object(
  {
    bids: field(
      Type.Array(Level, { maxItems: 10 }),
      'Buy orders, best price first: arrays of price and size.',
      [[51234, 0.5]],
    ),
    asks: field(
      Type.Array(Level, { maxItems: 10 }),
      'Sell orders, best price first: arrays of price and size.',
      [[51234.5, 1.25]],
    ),
    timestamp: Timestamp,
  },
  { title: 'OrderBook' },
);
export type OrderBook = Static<typeof OrderBook>;

/** A market's call auction, as if it uncrossed now. Public. */
export const Auction = Type.Object(
  {
    status: oneOf(MARKET_STATUSES, 'The market status. `auction` collects orders.'),
    price: field(
      DecimalOrNull,
      'The price at which the auction would trade now; null if none.',
      51234.5,
    ),
    volume: field(Decimal, 'The size that would trade at this price.', 12.5),
    imbalance: field(
      Decimal,
      'Buy size minus sell size at this price; negative if more is for sale.',
      -0.75,
    ),
    ends_at: field(
      TimestampOrNull,
      'When the auction ends automatically; null if an operator ends it.',
    ),
    timestamp: Timestamp,
  },
  { title: 'Auction' },
);
export type Auction = Static<typeof Auction>;

/** Values of assets in another asset; -1 if no conversion path exists. Public. */
export const OraclePrices = mapOf(Decimal);
export type OraclePrices = Static<typeof OraclePrices>;

const open = { permission: { who: 'anyone' }, effect: 'read', status: 200, method: 'GET' } as const;

const ofSymbol = Type.Object({ symbol: SymbolIn });

export const ASSETS_PER_CALL_MAX = 200;

/** Assets named by the caller. */
export const AssetsIn = listIn(CurrencyIn, {
  itemsMax: ASSETS_PER_CALL_MAX,
  description: 'Separated by commas, or repeated. Unknown names are ignored.',
});

export const marketDataRoutes = {
  getTicker: defineRoute({
    ...open,
    path: '/v2/ticker',
    summary: '24-hour statistics of a market',
    description:
      'The window ends now and moves every second. Prices are 0 for a market that never ' +
      'traded.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: ofSymbol,
    response: Ticker,
    example: {
      query: { symbol: 'btc-usdt' },
      response: tickerExample,
    },
  }),
  getTickers: defineRoute({
    ...open,
    path: '/v2/tickers',
    summary: '24-hour statistics of every market',
    description: 'One response for all markets, from memory; cheaper than one request per market.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(TickerOfAll),
  }),
  getTickerAll: defineRoute({
    ...open,
    path: '/v2/ticker/all',
    summary: 'Same as /v2/tickers, under its older name',
    description: 'An alias for clients of older releases.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(TickerOfAll),
  }),
  getOrderBook: defineRoute({
    ...open,
    path: '/v2/orderbook',
    summary: 'The ten best levels on each side of a market',
    description:
      'Sizes are summed by price. For deeper books and every change, use the stream: topics ' +
      '`orderbook` and level 2 and 3.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: ofSymbol,
    response: mapOf(OrderBook),
    example: {
      query: { symbol: 'btc-usdt' },
      response: {
        'btc-usdt': {
          bids: [[51234, 0.5]],
          asks: [[51234.5, 1.25]],
          timestamp: '2026-01-05T10:00:00.000Z',
        },
      },
    },
  }),
  getOrderBooks: defineRoute({
    ...open,
    path: '/v2/orderbooks',
    summary: 'The ten best levels of every market',
    description: 'One response for all markets, from memory, at most about 50 milliseconds old.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(OrderBook),
  }),
  getAuction: defineRoute({
    ...open,
    isRialtoOnly: true,
    path: '/v2/auction',
    summary: 'The call auction of a market',
    description:
      'The price at which the collected orders would trade now, the size that would trade ' +
      'and the size that would be left. From memory, at most about a second old. The topic ' +
      '`auction` in the stream has every change.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: ofSymbol,
    response: mapOf(Auction),
    example: {
      query: { symbol: 'btc-usdt' },
      response: {
        'btc-usdt': {
          status: 'auction',
          price: 51234.5,
          volume: 12.5,
          imbalance: -0.75,
          ends_at: '2026-01-05T10:05:00.000Z',
          timestamp: '2026-01-05T10:00:00.000Z',
        },
      },
    },
  }),
  getTrades: defineRoute({
    ...open,
    path: '/v2/trades',
    summary: 'The last 30 trades of a market, or of every market',
    description:
      'Newest first. Trade IDs increase within a market, so you can recognize trades that you ' +
      'have already received.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: Type.Object({ symbol: Type.Optional(SymbolIn) }),
    response: mapOf(Type.Array(PublicTrade)),
    example: {
      query: { symbol: 'btc-usdt' },
      response: { 'btc-usdt': [publicTradeExample] },
    },
  }),
  getTradesHistory: defineRoute({
    ...open,
    path: '/v2/trades/history',
    summary: 'Trade history, paged',
    description:
      'Every trade since the first, newest first, with the filters and paging of all lists.',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: listQuery({
      symbol: Type.Optional(SymbolIn),
      side: field(Type.Optional(oneOf(SIDES)), 'Only trades whose taker bought or ' + 'sold.'),
    }),
    response: pagedList(PublicTradeOfMarket),
  }),
  getOraclePrices: defineRoute({
    ...open,
    path: '/v2/oracle/prices',
    summary: 'The value of an amount of each asset in another asset',
    description:
      'Converted at the last prices of the markets, directly or through another coin. An asset ' +
      'without a conversion path returns -1.',
    tag: 'market data',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      assets: AssetsIn,
      quote: Type.Optional(CurrencyIn),
      amount: field(Type.Optional(DecimalIn), 'Amount of each asset; 1 by default.'),
    }),
    response: OraclePrices,
    example: {
      query: { assets: 'btc,eth', quote: 'usdt', amount: '2' },
      response: { btc: 102469, eth: 5400.5 },
    },
  }),
} as const;
