// Examples of requests and responses for the API documents. A test checks them against the schemas.

import {
  candleExample,
  publicTradeExample,
  tickerExample,
} from '../features/market-data/api/index.ts';
import type { RouteName } from './routes.ts';

export interface RouteExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response?: unknown;
}

const order = {
  id: '00000000-0003-81e8-8000-000000000000',
  side: 'buy',
  symbol: 'btc-usdt',
  type: 'limit',
  size: 0.25,
  price: 51234.5,
  stop: null,
  filled: 0,
  average: 0,
  fee: 0,
  fee_coin: 'btc',
  status: 'new',
  meta: { post_only: true },
  fee_structure: { maker: 0.1, taker: 0.2 },
  client_order_id: 'mm-1-000184467',
  time_in_force: 'GTC',
  self_trade_prevention: 'cancel_newest',
  created_by: 7,
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
};
const canceled = { ...order, status: 'canceled', close_reason: 'canceled_by_user' };

const withdrawal = {
  id: 91,
  amount: 0.5,
  fee: 0.0005,
  fee_coin: 'btc',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  transaction_id: '1c2f8a52-6c1e-4a2e-9d0b-6f5a3c1e7b90',
  status: false,
  dismissed: false,
  rejected: false,
  processing: false,
  waiting: true,
  onhold: false,
  description: null,
  type: 'withdrawal',
  currency: 'btc',
  network: 'btc',
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
  user_id: 7,
};

const orderIn = {
  symbol: 'btc-usdt',
  side: 'buy',
  size: 0.25,
  type: 'limit',
  price: 51234.5,
  meta: { post_only: true },
  client_order_id: 'mm-1-000184467',
};

const marketExamples = {
  getHealth: {
    response: {
      name: 'Rialto',
      version: '0.1.0',
      host: 'localhost',
      domain: 'localhost',
      basePath: '/v2',
      status: true,
    },
  },
  getTicker: {
    query: { symbol: 'btc-usdt' },
    response: tickerExample,
  },
  getOrderBook: {
    query: { symbol: 'btc-usdt' },
    response: {
      'btc-usdt': {
        bids: [[51234, 0.5]],
        asks: [[51234.5, 1.25]],
        timestamp: '2026-01-05T10:00:00.000Z',
      },
    },
  },
  getAuction: {
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
  getTrades: {
    query: { symbol: 'btc-usdt' },
    response: { 'btc-usdt': [publicTradeExample] },
  },
  getChart: {
    query: { symbol: 'btc-usdt', resolution: '1h', from: '1767600000', to: '1767607200' },
    response: [candleExample],
  },
  getUdfTime: { response: 1767607200 },
  getOraclePrices: {
    query: { assets: 'btc,eth', quote: 'usdt', amount: '2' },
    response: { btc: 102469, eth: 5400.5 },
  },
} satisfies Partial<Record<RouteName, RouteExample>>;

export const examples: Readonly<Partial<Record<RouteName, RouteExample>>> = {
  ...marketExamples,
  getBalance: {
    response: {
      user_id: 7,
      btc_balance: 1.5,
      btc_available: 1.25,
      usdt_balance: 25000,
      usdt_available: 12191.375,
      updated_at: '2026-01-05T10:00:00.000Z',
    },
  },
  getOrder: { query: { order_id: order.id }, response: order },
  createOrder: { body: orderIn, response: order },
  testOrder: { body: orderIn, response: { message: 'The order would be accepted' } },
  amendOrder: {
    body: { order_id: order.id, size: '0.2' },
    response: { ...order, size: 0.2 },
  },
  cancelOrder: { query: { order_id: order.id }, response: canceled },
  cancelOrdersOfMarket: { query: { symbol: 'btc-usdt' }, response: [canceled] },
  createOrders: {
    body: { orders: [orderIn, { symbol: 'btc-usdt', side: 'sell', size: 400, type: 'market' }] },
    response: {
      data: [
        { status: 200, order },
        {
          status: 400,
          error: { message: 'Insufficient balance to perform the order', lang: 'en', code: 67 },
        },
      ],
    },
  },
  cancelOrders: {
    query: { order_ids: order.id },
    response: { data: [{ status: 200, order: canceled }] },
  },
  setDeadManSwitch: {
    body: { timeout: 60 },
    response: { armed: true, fires_at: '2026-01-05T10:01:00.000Z' },
  },
  getQuote: {
    query: { spending_currency: 'usdt', receiving_currency: 'btc', spending_amount: '1000' },
    response: {
      spending_currency: 'usdt',
      receiving_currency: 'btc',
      spending_amount: 1000,
      receiving_amount: 0.0195,
      fees_included: false,
      type: 'market',
      token: 'eyJhbGciOiJkaXIi',
      expiry: '2026-01-05T10:00:30.000Z',
    },
  },
  executeQuote: {
    body: { token: 'eyJhbGciOiJkaXIi' },
    response: {
      ...order,
      type: 'market',
      size: 0.0195,
      price: 0,
      filled: 0.0195,
      average: 51234.5,
      meta: {},
      status: 'filled',
      method: 'market',
      time_in_force: 'FOK',
    },
  },
  createWithdrawal: {
    body: { currency: 'btc', amount: 0.5, address: withdrawal.address, network: 'btc' },
    response: {
      message: 'Withdrawal request is in the queue and will be processed.',
      id: 91,
      transaction_id: withdrawal.transaction_id,
      amount: 0.5,
      currency: 'btc',
      fee: 0.0005,
      fee_coin: 'btc',
    },
  },
  requestWithdrawal: {
    body: {
      currency: 'btc',
      amount: 0.5,
      address: withdrawal.address,
      network: 'btc',
      otp_code: '492039',
    },
    response: { message: 'Success' },
  },
  confirmWithdrawal: {
    body: { token: '8c1d5b0e-2f6a-4c7b-b3d9-0e4f6a8c2d11' },
    response: {
      message: 'Withdrawal successful',
      fee: 0.0005,
      transaction_id: withdrawal.transaction_id,
    },
  },
  cancelWithdrawal: {
    query: { id: '91' },
    response: { ...withdrawal, waiting: false, dismissed: true },
  },
  creditDeposit: {
    body: { user_id: 7, currency: 'usdt', amount: 1000, transaction_id: 'wire-2026-118' },
  },
  reviewDeposit: { body: { transaction_id: 'wire-2026-118', status: true } },
  reviewWithdrawal: {
    body: {
      transaction_id: withdrawal.transaction_id,
      updated_transaction_id: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      status: true,
    },
  },
  getEndpoints: { response: ['/admin/users:get'] },
  getMailTypes: { response: ['welcome', 'login'] },
  signForDevelopment: {
    body: { secret: 'secret', method: 'GET', path: '/v2/user/balance', expires: 1767607200 },
  },
};
