// A user's account: profile, balances and trades.

import type { Static } from 'typebox';
import { SIDES } from '../../../core/messages/index.ts';
import {
  Decimal,
  defineRoute,
  FormatIn,
  listQuery,
  NO_QUERY,
  oneOf,
  pagedList,
  StringOrNull,
  SymbolIn,
  Timestamp,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { Balance } from './balance.ts';
import { User } from './user.ts';

/** A trade as one of its two sides sees it. */
export const UserTrade = Type.Object(
  {
    side: oneOf(SIDES),
    symbol: Type.String(),
    size: Decimal,
    price: Decimal,
    timestamp: Timestamp,
    order_id: StringOrNull,
    fee: Decimal,
    fee_coin: Type.String(),
    quick: Type.Optional(Type.Boolean({ description: 'Created by executing a quote.' })),
  },
  { title: 'UserTrade' },
);
export type UserTrade = Static<typeof UserTrade>;

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;

export const accountRoutes = {
  getUser: defineRoute({
    method: 'GET',
    path: '/v2/user',
    summary: 'Your profile',
    description:
      'Your profile with balances, deposit addresses, settings and tier. Shows the personal data ' +
      'that you or an operator entered.',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    worksStopped: true,
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: User,
  }),
  getBalance: defineRoute({
    method: 'GET',
    path: '/v2/user/balance',
    summary: 'Your balances: total and available',
    description:
      'For each coin, `<coin>_balance` is the total and `<coin>_available` is the part not held ' +
      'by open orders and withdrawals. Includes every order acknowledged before the request.',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Balance,
    example: {
      response: {
        user_id: 7,
        btc_balance: 1.5,
        btc_available: 1.25,
        usdt_balance: 25000,
        usdt_available: 12191.375,
        updated_at: '2026-01-05T10:00:00.000Z',
      },
    },
  }),
  getUserTrades: defineRoute({
    method: 'GET',
    path: '/v2/user/trades',
    summary: 'Your trades, newest first',
    description: 'One row per fill, seen from your side: your fee and your order.',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({ symbol: Type.Optional(SymbolIn), format: FormatIn }),
    status: 200,
    response: pagedList(UserTrade),
    csv: true,
  }),
} as const;
