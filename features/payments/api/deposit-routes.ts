// Deposits: users read their own; operators credit and review all of them. Operator routes also
// need a role that permits their path and method.

import {
  CurrencyIn,
  Decimal,
  DecimalIn,
  defineRoute,
  field,
  listFile,
  listQuery,
  NO_QUERY,
  pagedList,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { DepositOrWithdrawal, DepositOrWithdrawalOfUser } from './deposit-withdrawal.ts';
import {
  DescriptionIn,
  NetworkIn,
  operatorTransferFilters,
  ReferenceIn,
  TransactionChangeIn,
  transferFilters,
} from './transfer-inputs.ts';

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const operatorMayMoveMoney = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const PlayMoney = Type.Object(
  { message: Type.String(), amount: Decimal, currency: Type.String() },
  { title: 'PlayMoney' },
);

const outputIn = (otherwise: string) =>
  Type.Unsafe<number | string>({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[0-9]{1,18}$' },
    ],
    description:
      'Which payment of the transaction: the index of its output or log, in digits. By ' +
      `default ${otherwise}. Two payments in one transaction are two deposits; the second one ` +
      'must name its output and have another user or amount.',
  });

const getDepositsOfUsers = defineRoute({
  method: 'GET',
  path: '/v2/admin/deposits',
  summary: 'Deposits of all users',
  description: 'Filter by user, coin, transaction, address or state.',
  tag: 'operator',
  permission: operatorMayRead,
  roles: ['supervisor', 'manager', 'support', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: listQuery(operatorTransferFilters),
  status: 200,
  response: pagedList(DepositOrWithdrawalOfUser),
  csv: true,
  lookUp: true,
});

export const depositRoutes = {
  getDeposits: defineRoute({
    method: 'GET',
    path: '/v2/user/deposits',
    summary: 'Your deposits, newest first',
    description:
      'Each row has its state in five flags: `status` (completed), `dismissed`, `rejected`, ' +
      '`processing`, `waiting`.',
    tag: 'user',
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(transferFilters),
    status: 200,
    response: pagedList(DepositOrWithdrawal),
    csv: true,
  }),
  getPlayMoney: defineRoute({
    method: 'POST',
    path: '/v2/user/play-money',
    summary: 'Get play money on a demo exchange',
    description:
      'Credits the amount that `play_money` of the kit names for the coin, once in 24 hours. ' +
      'Sub-accounts get none. Other exchanges than demos refuse it.',
    tag: 'user',
    permission: { who: 'person' },
    isRialtoOnly: true,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { currency: CurrencyIn },
      { title: 'PlayMoneyIn', additionalProperties: false },
    ),
    status: 200,
    response: PlayMoney,
    example: { body: { currency: 'usdt' } },
  }),
  getDepositsOfUsers,
  getDepositsOfUsersFile: listFile(getDepositsOfUsers),
  creditDeposit: defineRoute({
    method: 'POST',
    path: '/v2/admin/mint',
    summary: 'Credit a user with a deposit made outside the exchange',
    description:
      'A transaction output is credited only once, regardless of how the transaction ID is ' +
      'written. An identical signed request counts once.',
    tag: 'operator',
    permission: operatorMayMoveMoney,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        currency: CurrencyIn,
        amount: DecimalIn,
        transaction_id: Type.Optional(ReferenceIn),
        output: Type.Optional(outputIn('0')),
        address: Type.Optional(ReferenceIn),
        network: Type.Optional(NetworkIn),
        status: Type.Optional(
          Type.Boolean({ description: 'false leaves the deposit pending; true by default.' }),
        ),
        fee: Type.Optional(DecimalIn),
        email: field(Type.Optional(Type.Boolean()), 'Whether the user gets an email.'),
        description: Type.Optional(DescriptionIn),
      },
      { title: 'MintIn' },
    ),
    status: 201,
    response: DepositOrWithdrawalOfUser,
    mayWait: true,
    example: {
      body: { user_id: 7, currency: 'usdt', amount: 1000, transaction_id: 'wire-2026-118' },
    },
  }),
  reviewDeposit: defineRoute({
    method: 'PUT',
    path: '/v2/admin/mint',
    summary: 'Complete, dismiss or reject a pending deposit, or credit a failed one again',
    description:
      'Names the deposit by its transaction ID. A completed deposit is credited in the engine.',
    tag: 'operator',
    permission: operatorMayMoveMoney,
    roles: ['supervisor'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        ...TransactionChangeIn.properties,
        id: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'The deposit ID, if several deposits have this `transaction_id`.',
          }),
        ),
        output: Type.Optional(outputIn('that of the deposit')),
      },
      { title: 'DepositChangeIn' },
    ),
    status: 200,
    response: DepositOrWithdrawalOfUser,
    mayWait: true,
    example: { body: { transaction_id: 'wire-2026-118', status: true } },
  }),
} as const;
