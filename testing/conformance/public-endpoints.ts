// Endpoints without credentials: 16 endpoints.

import {
  BOOK,
  CANDLE,
  COIN,
  KIT,
  MINI_CHART_POINT,
  PAIR,
  PUBLIC_TRADE,
  TICKER,
  TICKERS_ENTRY,
  TIER,
  UDF_CONFIG,
  UDF_HISTORY,
  UDF_SYMBOL,
} from './resources.ts';
import { type Endpoints, may, must } from './shape.ts';

const symbol = must('string', 'market');
const RESOLUTIONS = ['15', '60', '240', '1D', '1W'];
const span = {
  resolution: must('string', 'candle length', { values: RESOLUTIONS }),
  from: must('string', 'unix time of the first candle'),
  to: must('string', 'unix time of the last candle'),
};
const auth = 'public';

export const PUBLIC_ENDPOINTS = {
  'GET /v2/health': {
    auth,
    parameters: {},
    answer: {
      fields: {
        name: ['string', 'name of the exchange'],
        version: ['string', 'version of the interface'],
        host: ['string', 'host'],
        basePath: ['string', 'prefix of every path'],
      },
    },
  },
  'GET /v2/constants': {
    auth,
    parameters: {},
    answer: {
      fields: {
        coins: [{ map: { fields: COIN } }, 'coins by symbol'],
        pairs: [{ map: { fields: PAIR } }, 'markets by name'],
      },
    },
  },
  'GET /v2/kit': { auth, parameters: {}, answer: { fields: KIT } },
  'GET /v2/tiers': { auth, parameters: {}, answer: { map: { fields: TIER } } },
  'GET /v2/ticker': { auth, parameters: { symbol }, answer: { fields: TICKER } },
  'GET /v2/tickers': { auth, parameters: {}, answer: { map: { fields: TICKERS_ENTRY } } },
  'GET /v2/orderbook': { auth, parameters: { symbol }, answer: { map: { fields: BOOK } } },
  'GET /v2/orderbooks': { auth, parameters: {}, answer: { map: { fields: BOOK } } },
  'GET /v2/trades': {
    auth,
    parameters: { symbol: may('string', 'market; all without it') },
    answer: { map: { list: { fields: PUBLIC_TRADE } } },
  },
  'GET /v2/chart': {
    auth,
    parameters: { symbol, ...span },
    answer: { list: { fields: CANDLE } },
  },
  'GET /v2/charts': {
    auth,
    parameters: span,
    answer: { map: { list: { fields: CANDLE } } },
  },
  'GET /v2/minicharts': {
    auth,
    parameters: {
      assets: must('array', 'assets'),
      from: may('string', 'unix time of the first point'),
      to: may('string', 'unix time of the last point'),
      quote: may('string', 'coin in which prices are quoted'),
    },
    answer: { map: { list: { fields: MINI_CHART_POINT } } },
  },
  'GET /v2/oracle/prices': {
    auth,
    parameters: {
      assets: must('array', 'assets'),
      quote: may('string', 'coin in which prices are quoted'),
      amount: may('number', 'units to price'),
    },
    answer: { map: 'number' },
  },
  'GET /v2/udf/config': { auth, parameters: {}, answer: { fields: UDF_CONFIG } },
  'GET /v2/udf/history': {
    auth,
    parameters: { symbol, ...span, resolution: must('string', 'candle length') },
    answer: { fields: UDF_HISTORY },
  },
  'GET /v2/udf/symbols': { auth, parameters: { symbol }, answer: { fields: UDF_SYMBOL } },
} as const satisfies Endpoints;
