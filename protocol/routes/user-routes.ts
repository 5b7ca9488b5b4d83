// What a user has and has done: profile, balance, deposits, withdrawals, trades.

import { Type } from 'typebox';
import { Balance } from '../resources/balance.ts';
import { DepositOrWithdrawal } from '../resources/deposit-withdrawal.ts';
import { FormatIn, listQuery, pagedList } from '../resources/paged-list.ts';
import { User } from '../resources/user.ts';
import { UserTrade } from '../resources/user-trade.ts';
import { WithdrawalCreated } from '../resources/withdrawal-created.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY, WEIGHT_LIGHT, WEIGHT_LIST, WEIGHT_ROW } from '../weights.ts';
import { BooleanIn, CurrencyIn, Decimal, DecimalIn, SymbolIn, textIn } from '../wire-types.ts';

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;

export const NetworkIn = textIn({ minLength: 1, maxLength: 32 });

/** By what deposits and withdrawals may be chosen. */
export const transactionFilters = {
  currency: Type.Optional(CurrencyIn),
  transaction_id: Type.Optional(textIn({ maxLength: 256 })),
  address: Type.Optional(textIn({ maxLength: 256 })),
  status: Type.Optional(BooleanIn),
  dismissed: Type.Optional(BooleanIn),
  rejected: Type.Optional(BooleanIn),
  processing: Type.Optional(BooleanIn),
  waiting: Type.Optional(BooleanIn),
  format: FormatIn,
};

export const userRoutes = {
  getUser: defineRoute({
    method: 'GET',
    path: '/v2/user',
    summary: 'Who you are here',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: User,
  }),
  getBalance: defineRoute({
    method: 'GET',
    path: '/v2/user/balance',
    summary: 'What you have, and what of it may be used',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Balance,
  }),
  getUserTrades: defineRoute({
    method: 'GET',
    path: '/v2/user/trades',
    summary: 'Your trades, the newest first',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({ symbol: Type.Optional(SymbolIn), format: FormatIn }),
    status: 200,
    response: pagedList(UserTrade),
    csv: true,
  }),
  getDeposits: defineRoute({
    method: 'GET',
    path: '/v2/user/deposits',
    summary: 'Your deposits, the newest first',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(transactionFilters),
    status: 200,
    response: pagedList(DepositOrWithdrawal),
    csv: true,
  }),
  getWithdrawals: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawals',
    summary: 'Your withdrawals, the newest first',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(transactionFilters),
    status: 200,
    response: pagedList(DepositOrWithdrawal),
    csv: true,
  }),
} as const;

export const withdrawalRoutes = {
  getWithdrawalFee: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawal/fee',
    summary: 'What a withdrawal costs',
    tag: 'withdrawals',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: Type.Object(
      {
        currency: Type.Optional(CurrencyIn),
        symbol: Type.Optional(CurrencyIn),
        network: Type.Optional(NetworkIn),
      },
      { description: '`symbol` is another name of `currency`, which must be there otherwise.' },
    ),
    status: 200,
    response: Type.Object({ fee: Decimal, fee_coin: Type.String() }, { title: 'WithdrawalFeeOf' }),
  }),
  getWithdrawalMax: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawal/max',
    summary: 'How much you could withdraw now, after its fee and within your limits',
    tag: 'withdrawals',
    permission: { who: 'user', scope: 'any', sessions: true },
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ currency: CurrencyIn, network: Type.Optional(NetworkIn) }),
    status: 200,
    response: Type.Object({ amount: Decimal }, { title: 'WithdrawalMax' }),
  }),
  createWithdrawal: defineRoute({
    method: 'POST',
    path: '/v2/user/withdrawal',
    summary: 'Withdraw to an address; only with a key that may',
    tag: 'withdrawals',
    permission: { who: 'user', scope: 'can_withdraw', sessions: false },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        currency: CurrencyIn,
        amount: DecimalIn,
        address: Type.String({ minLength: 1, maxLength: 256 }),
        network: Type.Optional(NetworkIn),
      },
      {
        title: 'WithdrawalIn',
        description:
          'An address with a tag is `address:tag`. Network is needed if there are several.',
      },
    ),
    status: 200,
    response: WithdrawalCreated,
  }),
  cancelWithdrawal: defineRoute({
    method: 'DELETE',
    path: '/v2/user/withdrawal',
    summary: 'Cancel a withdrawal that nobody has begun to pay',
    tag: 'withdrawals',
    permission: { who: 'user', scope: 'can_withdraw', sessions: true },
    effect: 'write',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    status: 200,
    response: DepositOrWithdrawal,
  }),
} as const;
