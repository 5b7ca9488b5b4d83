// Administrator endpoints for users, orders and trades: 25 endpoints. Money and staking are in
// admin-money-endpoints.ts.

import { format, paging } from './list-parameters.ts';
import {
  BALANCE,
  BALANCE_OF_USER,
  BALANCE_ROW,
  MESSAGE,
  ORDER_BY_ADMIN,
  ORDER_OF_ADMIN,
  TRADE_OF_ADMIN,
  USER_OF_ADMIN,
  WALLET_ROW,
} from './resources.ts';
import { type Endpoints, may, must, type Shape } from './shape.ts';

const auth = 'administrator';
const PAGE_MAX = 50;
const SIDES = ['buy', 'sell'];
const user_id = must('number', 'user');
const anyUser = may('number', 'user');
const message: Shape = { fields: MESSAGE };
const PERSON: Shape = { fields: { id: ['number', 'user'], email: ['string', 'email address'] } };

export const ADMIN_ENDPOINTS = {
  'GET /v2/admin/exchange': {
    auth,
    parameters: { user_id: must('number', 'administrator') },
    answer: {
      fields: {
        id: ['number', 'exchange'],
        name: ['string', 'name'],
        expiry: ['time', 'plan expiry'],
        url: ['string', 'address'],
        active: ['boolean', 'whether it is open'],
        is_trial: ['boolean', 'whether the plan is a trial'],
        created_at: ['time', 'creation time'],
        coins: [{ list: 'string' }, 'coin symbols'],
        pairs: [{ list: 'string' }, 'market names'],
        plan: ['string', 'plan'],
        period: ['string', 'period of the plan'],
      },
    },
  },
  'POST /v2/admin/user': {
    auth,
    parameters: {
      email: must('string', 'email address'),
      password: must('string', 'password'),
      referral: may('string', "referrer's code"),
    },
    answer: message,
  },
  'DELETE /v2/admin/user': { auth, parameters: { user_id }, answer: message },
  'GET /v2/admin/users': {
    auth,
    parameters: {
      id: may('number', 'user'),
      user_id: anyUser,
      ...paging(PAGE_MAX),
      search: may('string', 'part of an email address or a name'),
      pending: may('boolean', 'users with something to review'),
      pending_type: may('string', 'kind of review', { values: ['id', 'bank'] }),
      format,
    },
    answer: { page: { fields: USER_OF_ADMIN } },
  },
  'GET /v2/admin/user/referer': {
    auth,
    parameters: { user_id },
    answer: {
      map: {
        fields: {
          created_at: ['time', 'time of the referral'],
          updated_at: ['time', 'last change'],
          referer: [PERSON, 'referrer'],
        },
      },
    },
  },
  'GET /v2/admin/user/affiliation': {
    auth,
    parameters: { user_id, ...paging(PAGE_MAX) },
    answer: {
      page: { fields: { referrer_id: ['number', 'referrer'], user: [PERSON, 'user'] } },
    },
  },
  'POST /v2/admin/user/activate': {
    auth,
    parameters: { user_id, activated: must('boolean', 'whether the account can sign in') },
    answer: message,
  },
  'POST /v2/admin/deactivate-otp': { auth, parameters: { user_id }, answer: message },
  'GET /v2/admin/logins': {
    auth,
    parameters: { user_id, ...paging(PAGE_MAX) },
    answer: {
      page: {
        fields: {
          ip: ['string', 'client address'],
          device: ['string', 'client program'],
          domain: ['string', 'site'],
          timestamp: ['time', 'login time'],
          user_id: ['number', 'user'],
          UserId: ['number', 'user'],
        },
      },
    },
  },
  'POST /v2/admin/user/bank': {
    auth,
    parameters: { user_id, bank_account: must('object', 'bank account') },
    answer: message,
  },
  'GET /v2/admin/user/balance': { auth, parameters: { user_id }, answer: BALANCE_OF_USER },
  'GET /v2/admin/balances': {
    auth,
    parameters: { user_id: anyUser, currency: may('string', 'coin'), format },
    answer: { page: { fields: BALANCE_ROW } },
  },
  'GET /v2/admin/balance': { auth, parameters: {}, answer: BALANCE },
  'POST /v2/admin/user/wallet': {
    auth,
    parameters: {
      user_id,
      crypto: must('string', 'coin'),
      network: may('string', 'network'),
    },
    answer: message,
  },
  'GET /v2/admin/user/wallet': {
    auth,
    parameters: {
      user_id: anyUser,
      ...paging(PAGE_MAX),
      address: may('string', 'address'),
      is_valid: may('boolean', 'whether it is in use'),
      network: may('string', 'network'),
      format,
    },
    answer: { page: { fields: WALLET_ROW } },
  },
  'PUT /v2/admin/user/role': {
    auth,
    parameters: { user_id, role: must('string', 'role') },
    answer: message,
  },
  'PUT /v2/admin/user/meta': {
    auth,
    parameters: {
      user_id,
      meta: must('object', 'values to set'),
      overwrite: may('boolean', 'whether other values are removed'),
    },
    answer: message,
  },
  'PUT /v2/admin/user/discount': {
    auth,
    parameters: { user_id, discount: must('number', 'percent') },
    answer: message,
  },
  'PUT /v2/admin/user/note': {
    auth,
    parameters: { user_id, note: must('string', 'remark') },
    answer: message,
  },
  'POST /v2/admin/upgrade-user': {
    auth,
    parameters: { user_id, verification_level: must('number', 'tier') },
    answer: message,
  },
  'POST /v2/admin/order': {
    auth,
    parameters: {
      user_id,
      symbol: must('string', 'market'),
      size: must('number', 'size'),
      price: must('number', 'limit price'),
      side: must('string', 'side', { values: SIDES }),
      type: must('string', 'type', { values: ['limit', 'market'] }),
    },
    answer: { fields: ORDER_BY_ADMIN },
  },
  'DELETE /v2/admin/order': {
    auth,
    parameters: { order_id: must('string', 'order'), user_id: anyUser },
    answer: message,
  },
  'GET /v2/admin/orders': {
    auth,
    parameters: {
      user_id: anyUser,
      side: may('string', 'side', { values: SIDES }),
      status: may('string', 'state', { values: ['open', 'filled', 'canceled'] }),
      open: may('boolean', 'whether they can still trade'),
      bank_key: may('string', 'field of a bank account'),
      bank_value: may('string', 'its value'),
      ...paging(PAGE_MAX),
      format,
    },
    answer: { page: { fields: ORDER_OF_ADMIN } },
  },
  'POST /v2/admin/trade': {
    auth,
    parameters: {
      maker_id: must('number', 'maker'),
      taker_id: must('number', 'taker'),
      maker_fee: must('number', 'maker fee in percent'),
      taker_fee: must('number', 'taker fee in percent'),
      symbol: must('string', 'market'),
      size: must('number', 'size'),
      price: must('number', 'price'),
      side: must('string', 'side', { values: SIDES }),
    },
    answer: { fields: TRADE_OF_ADMIN },
  },
  'GET /v2/admin/trades': {
    auth,
    parameters: {
      user_id: anyUser,
      side: may('string', 'side', { values: SIDES }),
      symbol: may('string', 'market'),
      ...paging(PAGE_MAX),
      format,
    },
    answer: { page: { fields: TRADE_OF_ADMIN } },
  },
} as const satisfies Endpoints;
