// What operators do while they hold the coins themselves: credit what arrived, complete or
// dismiss what shall leave. Each call also needs a role that permits its path and method.

import { Type } from 'typebox';
import { DepositOrWithdrawalOfUser } from '../resources/deposit-withdrawal.ts';
import { listQuery, pagedList } from '../resources/paged-list.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY, WEIGHT_LIST } from '../weights.ts';
import { CurrencyIn, DecimalIn, textIn } from '../wire-types.ts';
import { NetworkIn, transactionFilters } from './user-routes.ts';

const mayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const mayMoveMoney = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const UserIdIn = Type.Integer({ minimum: 1 });
const ReferenceIn = textIn({ minLength: 1, maxLength: 256 });
const DescriptionIn = textIn({ maxLength: 256 });

const operatorFilters = {
  user_id: Type.Optional(UserIdIn),
  description: Type.Optional(DescriptionIn),
  ...transactionFilters,
};

/** `updated_transactionId` is a name under which the same field was documented. */
const TransactionChangeIn = Type.Object(
  {
    transaction_id: ReferenceIn,
    updated_transaction_id: Type.Optional(ReferenceIn),
    updated_transactionId: Type.Optional(ReferenceIn),
    updated_address: Type.Optional(ReferenceIn),
    status: Type.Optional(Type.Boolean({ description: 'true completes it.' })),
    dismissed: Type.Optional(Type.Boolean()),
    rejected: Type.Optional(Type.Boolean()),
    processing: Type.Optional(Type.Boolean()),
    waiting: Type.Optional(Type.Boolean()),
    email: Type.Optional(Type.Boolean({ description: 'Whether the user is told by mail.' })),
    description: Type.Optional(DescriptionIn),
  },
  { title: 'TransactionChangeIn' },
);

export const operatorRoutes = {
  getDepositsOfUsers: defineRoute({
    method: 'GET',
    path: '/v2/admin/deposits',
    summary: 'Deposits of all users',
    tag: 'operator',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(operatorFilters),
    status: 200,
    response: pagedList(DepositOrWithdrawalOfUser),
    csv: true,
  }),
  getWithdrawalsOfUsers: defineRoute({
    method: 'GET',
    path: '/v2/admin/withdrawals',
    summary: 'Withdrawals of all users',
    tag: 'operator',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(operatorFilters),
    status: 200,
    response: pagedList(DepositOrWithdrawalOfUser),
    csv: true,
  }),
  mint: defineRoute({
    method: 'POST',
    path: '/v2/admin/mint',
    summary: 'Credit a user with a deposit that was seen outside the exchange',
    tag: 'operator',
    permission: mayMoveMoney,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        currency: CurrencyIn,
        amount: DecimalIn,
        transaction_id: Type.Optional(ReferenceIn),
        address: Type.Optional(ReferenceIn),
        network: Type.Optional(NetworkIn),
        status: Type.Optional(
          Type.Boolean({ description: 'false leaves it waiting; true is assumed.' }),
        ),
        fee: Type.Optional(DecimalIn),
        email: Type.Optional(Type.Boolean()),
        description: Type.Optional(DescriptionIn),
      },
      { title: 'MintIn' },
    ),
    status: 201,
    response: DepositOrWithdrawalOfUser,
  }),
  changeMint: defineRoute({
    method: 'PUT',
    path: '/v2/admin/mint',
    summary: 'Complete, dismiss or reject a deposit that waits',
    tag: 'operator',
    permission: mayMoveMoney,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: TransactionChangeIn,
    status: 200,
    response: DepositOrWithdrawalOfUser,
  }),
  changeBurn: defineRoute({
    method: 'PUT',
    path: '/v2/admin/burn',
    summary: 'Complete, dismiss or reject a withdrawal, with the id that the network gave it',
    tag: 'operator',
    permission: mayMoveMoney,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: TransactionChangeIn,
    status: 200,
    response: DepositOrWithdrawalOfUser,
  }),
} as const;
