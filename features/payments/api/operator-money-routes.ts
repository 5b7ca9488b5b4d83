// Money moved by operators: burns, transfers, payouts, fees, and trades and orders on behalf of
// users. Large amounts need approval from another operator. Credits and reviews are with deposits
// and withdrawals.

import { ORDER_TYPES, SIDES } from '../../../core/messages/index.ts';
import {
  BooleanIn,
  CurrencyIn,
  DecimalIn,
  defineRoute,
  field,
  listFile,
  Message,
  MomentIn,
  NO_QUERY,
  oneOf,
  SymbolIn,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { OperatorTrade, Order, OrderIdIn } from '../../trading/api/index.ts';
import { DepositOrWithdrawalOfUser } from './deposit-withdrawal.ts';
import { KnownTransaction } from './known-transaction.ts';
import { NetworkFees } from './network-fees.ts';
import { DescriptionIn, NetworkIn, ReferenceIn } from './transfer-inputs.ts';
import { WithdrawalCreated } from './withdrawal-created.ts';

const mayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const mayTrade = { who: 'operator', scope: 'can_trade', sessions: true } as const;
const mayMoveMoney = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const EmailIn = Type.Optional(
  Type.Boolean({ description: 'Whether the exchange mails the user; the default is true.' }),
);

const getNetworkFees = defineRoute({
  method: 'GET',
  path: '/v2/admin/fees',
  summary: 'Fees of completed withdrawals, of 30 days unless dates are named',
  description: 'By coin, one row for each withdrawal.',
  tag: 'operator',
  permission: mayRead,
  roles: ['manager', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: Type.Object({
    start_date: Type.Optional(MomentIn),
    end_date: Type.Optional(MomentIn),
    format: Type.Optional(
      oneOf(['csv', 'all'], '`csv` returns a file, `all` a list of every row, with its count.'),
    ),
  }),
  status: 200,
  response: NetworkFees,
  csv: true,
});

export const operatorMoneyRoutes = {
  getNetworkFees,
  getNetworkFeesFile: listFile(getNetworkFees),
  burn: defineRoute({
    method: 'POST',
    path: '/v2/admin/burn',
    summary: 'Take money of a user out of the exchange',
    description:
      'The money leaves the balance of the user at once. An equal signed request counts once.',
    tag: 'operator',
    permission: mayMoveMoney,
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
        address: Type.Optional(ReferenceIn),
        network: Type.Optional(NetworkIn),
        status: Type.Optional(
          Type.Boolean({ description: 'false only holds the amount; the default is true.' }),
        ),
        fee: Type.Optional(DecimalIn),
        email: EmailIn,
        description: Type.Optional(DescriptionIn),
      },
      { title: 'BurnIn' },
    ),
    status: 201,
    response: DepositOrWithdrawalOfUser,
    mayWait: true,
  }),
  transferBetweenUsers: defineRoute({
    method: 'POST',
    path: '/v2/admin/transfer',
    summary: 'Move money from one user to another',
    description:
      'Creates a withdrawal of the one and a deposit of the other, in one step. An equal signed ' +
      'request counts once.',
    tag: 'operator',
    permission: mayMoveMoney,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        sender_id: field(UserIdIn, 'The user who gives.', 7),
        receiver_id: field(UserIdIn, 'The user who gets.', 8),
        currency: CurrencyIn,
        amount: DecimalIn,
        description: Type.Optional(DescriptionIn),
        email: EmailIn,
      },
      { title: 'TransferIn', additionalProperties: false },
    ),
    status: 200,
    response: DepositOrWithdrawalOfUser,
    mayWait: true,
  }),
  payOut: defineRoute({
    method: 'POST',
    path: '/v2/admin/withdrawal',
    summary: 'Pay money of a user out to an address; only with a key that has the permission',
    description:
      'Like a withdrawal of the user, without the mail. An equal signed request counts once.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_withdraw', sessions: false },
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        currency: CurrencyIn,
        amount: DecimalIn,
        address: Type.String({ minLength: 1, maxLength: 256 }),
        network: Type.Optional(NetworkIn),
      },
      { title: 'PayOutIn', additionalProperties: false },
    ),
    status: 200,
    response: WithdrawalCreated,
    mayWait: true,
  }),
  tradeDirectly: defineRoute({
    method: 'POST',
    path: '/v2/admin/trade',
    summary: 'Enter a trade that two users agreed outside the book',
    description:
      'Both users must have the money; the book and the last price do not change. An equal ' +
      'signed request counts once.',
    tag: 'operator',
    permission: mayTrade,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        symbol: SymbolIn,
        side: oneOf(SIDES, 'Of the taker.'),
        price: DecimalIn,
        size: DecimalIn,
        maker_id: UserIdIn,
        taker_id: UserIdIn,
        maker_fee: Type.Unsafe<number | string>({ ...DecimalIn, description: 'In percent.' }),
        taker_fee: Type.Unsafe<number | string>({ ...DecimalIn, description: 'In percent.' }),
      },
      { title: 'DirectTradeIn', additionalProperties: false },
    ),
    status: 200,
    response: OperatorTrade,
    mayWait: true,
  }),
  placeOrderOfUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/order',
    summary: 'Place an order on behalf of a user',
    description: 'The order belongs to the user and obeys all rules of orders.',
    tag: 'operator',
    permission: mayTrade,
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        symbol: SymbolIn,
        side: oneOf(SIDES),
        size: DecimalIn,
        type: oneOf(ORDER_TYPES),
        price: Type.Optional(
          Type.Unsafe<number | string>({ ...DecimalIn, description: 'Of a limit order.' }),
        ),
      },
      { title: 'OrderOfUserIn', additionalProperties: false },
    ),
    status: 200,
    response: Order,
    mayWait: true,
  }),
  cancelOrderOfUser: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/order',
    summary: 'Cancel an order of a user',
    description: 'Works in every status of the market.',
    tag: 'operator',
    permission: mayTrade,
    roles: ['supervisor', 'manager'],
    effect: 'cancel',
    weight: WEIGHT_ROW,
    query: Type.Object({
      order_id: OrderIdIn,
      user_id: field(
        Type.Optional(UserIdIn),
        'The owner of the order. If it is left out, the order names its owner; an order of ' +
          'another user is not found.',
        7,
      ),
    }),
    status: 200,
    response: Type.Object(
      { ...Message.properties, ...Order.properties },
      { title: 'OrderOfUserCanceled' },
    ),
  }),
  checkTransactionOfUsers: defineRoute({
    method: 'GET',
    path: '/v2/admin/check-transaction',
    summary: 'A transaction on a chain, as far as the exchange knows it',
    description: 'Deposits that use it, and the owner of the address.',
    tag: 'operator',
    permission: mayRead,
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({
      currency: CurrencyIn,
      transaction_id: ReferenceIn,
      address: ReferenceIn,
      network: NetworkIn,
      is_testnet: Type.Optional(BooleanIn),
    }),
    status: 200,
    response: KnownTransaction,
  }),
  settleFees: defineRoute({
    method: 'GET',
    path: '/v2/admin/fees/settle',
    summary: 'Pay all collected fees to an account; always with another person',
    description:
      'Moves everything that collected since the last settlement, to you unless a user is named.',
    tag: 'operator',
    permission: mayMoveMoney,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object({
      user_id: Type.Optional(
        Type.Integer({ minimum: 1, description: 'By default your own account.' }),
      ),
    }),
    status: 200,
    response: Message,
    mayWait: true,
  }),
} as const;
