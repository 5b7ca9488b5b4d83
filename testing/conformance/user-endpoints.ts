// Endpoints of one authenticated user: 14 endpoints.

import { format, paging, TRANSFER_FILTERS } from './list-parameters.ts';
import {
  BALANCE,
  EXECUTED_ORDER,
  NEW_WITHDRAWAL,
  ORDER,
  ORDER_RESULT,
  QUOTE,
  TRANSFER,
  USER,
  USER_TRADE,
} from './resources.ts';
import { type Endpoints, may, must } from './shape.ts';

const auth = 'user';
const PAGE_MAX = 100;
const SIDES = ['buy', 'sell'];
const transfers = { ...TRANSFER_FILTERS, ...paging(PAGE_MAX), format };
const order_id = must('string', 'order');

export const USER_ENDPOINTS = {
  'GET /v2/user': { auth, parameters: {}, answer: { fields: USER } },
  'GET /v2/user/balance': { auth, parameters: {}, answer: BALANCE },
  'GET /v2/user/deposits': {
    auth,
    parameters: transfers,
    answer: { page: { fields: TRANSFER } },
  },
  'GET /v2/user/withdrawals': {
    auth,
    parameters: transfers,
    answer: { page: { fields: TRANSFER } },
  },
  'GET /v2/user/withdrawal/fee': {
    auth,
    parameters: { currency: must('string', 'coin') },
    answer: { fields: { fee: ['number', 'withdrawal fee'] } },
  },
  'POST /v2/user/withdrawal': {
    auth,
    withdraws: true,
    parameters: {
      currency: must('string', 'coin'),
      amount: must('number', 'amount'),
      address: must('string', 'destination'),
      network: may('string', 'network, if the coin has several'),
    },
    answer: { fields: NEW_WITHDRAWAL },
  },
  'GET /v2/user/trades': {
    auth,
    parameters: { symbol: may('string', 'market'), ...paging(PAGE_MAX), format },
    answer: { page: { fields: USER_TRADE } },
  },
  'GET /v2/orders': {
    auth,
    parameters: {
      symbol: may('string', 'market'),
      side: may('string', 'side', { values: SIDES }),
      open: may('boolean', 'whether they can still trade'),
      ...paging(PAGE_MAX),
    },
    answer: { page: { fields: ORDER } },
  },
  'GET /v2/order': { auth, parameters: { order_id }, answer: { fields: ORDER } },
  'POST /v2/order': {
    auth,
    parameters: {
      symbol: must('string', 'market'),
      side: must('string', 'side', { values: SIDES }),
      size: must('number', 'size, number or string'),
      type: must('string', 'type', { values: ['limit', 'market'] }),
      price: may('number', 'limit price, number or string; required for limit orders'),
      stop: may('number', 'trigger price'),
      'meta.post_only': may('boolean', 'whether to trade only as a maker'),
      'meta.note': may('string', 'remark'),
    },
    answer: { fields: ORDER_RESULT },
  },
  'DELETE /v2/order/all': {
    auth,
    parameters: { symbol: must('string', 'market') },
    answer: { list: { fields: ORDER_RESULT } },
  },
  'DELETE /v2/order': { auth, parameters: { order_id }, answer: { fields: ORDER_RESULT } },
  'GET /v2/quick-trade': {
    auth,
    parameters: {
      spending_currency: must('string', 'coin to spend'),
      receiving_currency: must('string', 'coin to receive'),
      spending_amount: may('string', 'amount to spend'),
      receiving_amount: may('string', 'amount to receive'),
    },
    answer: { fields: QUOTE },
  },
  'POST /v2/order/execute': {
    auth,
    parameters: { token: must('string', 'token of a quote that has not expired') },
    answer: { fields: EXECUTED_ORDER },
  },
} as const satisfies Endpoints;
