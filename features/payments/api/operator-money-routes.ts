// Money moved by operators: burns, transfers, payouts, fees, and trades and orders on behalf of
// users. Large amounts need approval from another operator. Credits and reviews are with deposits
// and withdrawals.

import type { Static } from 'typebox';
import { ORDER_TYPES, SIDES } from '../../../core/messages/index.ts';
import {
  act,
  BooleanIn,
  CurrencyIn,
  Decimal,
  DecimalIn,
  defineRoute,
  field,
  listFile,
  Message,
  MomentIn,
  NO_QUERY,
  oneOf,
  SymbolIn,
  Timestamp,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { OperatorTrade, Order, OrderIdIn } from '../../trading/api/index.ts';
import { DepositOrWithdrawalOfUser } from './deposit-withdrawal.ts';
import { KnownTransaction } from './known-transaction.ts';
import { DescriptionIn, NetworkIn, ReferenceIn } from './transfer-inputs.ts';
import { WithdrawalCreated } from './withdrawal-created.ts';

/** The fee for a completed withdrawal, in the coin in which it was paid. */
export const NetworkFee = Type.Object(
  {
    id: Type.Integer({ description: 'The withdrawal ID.' }),
    transaction_id: Type.String(),
    currency: Type.String(),
    network_fee: field(Decimal, 'The network fee.', 0.0005),
    timestamp: Timestamp,
    exchange_id: Type.Integer(),
  },
  { title: 'NetworkFee' },
);
export type NetworkFee = Static<typeof NetworkFee>;

export type NetworkFees = Readonly<Record<string, readonly NetworkFee[]>>;

export const NetworkFees = Type.Unsafe<NetworkFees>({
  title: 'NetworkFees',
  type: 'object',
  description: 'By coin, newest first.',
  additionalProperties: { type: 'array', items: NetworkFee },
});

const mayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const mayTrade = { who: 'operator', scope: 'can_trade', sessions: true } as const;
const mayMoveMoney = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const EmailIn = Type.Optional(
  Type.Boolean({ description: 'Whether the user gets an email; true by default.' }),
);

const getNetworkFees = defineRoute({
  method: 'GET',
  path: '/v2/admin/fees',
  summary: 'Fees of completed withdrawals; the last 30 days by default',
  description: 'By coin, one row per withdrawal.',
  tag: 'operator',
  permission: mayRead,
  roles: ['manager', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: Type.Object({
    start_date: Type.Optional(MomentIn),
    end_date: Type.Optional(MomentIn),
    format: Type.Optional(
      oneOf(['csv', 'all'], '`csv` returns a file, `all` a list of all rows with the count.'),
    ),
  }),
  status: 200,
  response: NetworkFees,
  csv: true,
});

const HOURS_MAX = 8_760;
const COUNT_MAX = 1_000_000;

/** Meaning of each value of the withdrawal policy, and an example. */
const POLICY_VALUES = {
  one_review_from: [
    '24-hour value, to one address or of one family, that needs one review.',
    10000,
  ],
  two_reviews_from: ['24-hour value that needs two reviews.', 100000],
  new_address_from: ['24-hour value to a new address that needs a review.', 1000],
  fresh_funds_from: ['Value of recent deposits from which a withdrawal needs a review.', 1000],
  outflow_per_hour_max: ['Value leaving the exchange per hour above which two review.', 1000000],
} as const;
const POLICY_NUMBERS = {
  fresh_funds_hours: ['Hours for which a deposit is recent.', 1, HOURS_MAX],
  new_for_hours: ['Hours for which a device, country or paid address is new.', 24, HOURS_MAX],
  open_max: ['Maximum number of open withdrawals per family.', 20, COUNT_MAX],
  per_hour_max: ['Withdrawals per family and hour above which a review is needed.', 10, COUNT_MAX],
} as const;

export const WithdrawalPolicy = Type.Object(
  {
    currency: field(Type.String(), 'The currency of the values and of all thresholds.', 'usdt'),
    one_review_from: field(Decimal, ...POLICY_VALUES.one_review_from),
    two_reviews_from: field(Decimal, ...POLICY_VALUES.two_reviews_from),
    new_address_from: field(Decimal, ...POLICY_VALUES.new_address_from),
    fresh_funds_from: field(Decimal, ...POLICY_VALUES.fresh_funds_from),
    outflow_per_hour_max: field(Decimal, ...POLICY_VALUES.outflow_per_hour_max),
    fresh_funds_hours: policyNumber('fresh_funds_hours'),
    new_for_hours: policyNumber('new_for_hours'),
    open_max: policyNumber('open_max'),
    per_hour_max: policyNumber('per_hour_max'),
  },
  { title: 'WithdrawalPolicy' },
);
export type WithdrawalPolicy = Static<typeof WithdrawalPolicy>;

function policyNumber(name: keyof typeof POLICY_NUMBERS) {
  const [description, example, maximum] = POLICY_NUMBERS[name];
  return field(Type.Integer({ minimum: 0, maximum }), description, example);
}

function policyValueIn(name: keyof typeof POLICY_VALUES) {
  const [description, example] = POLICY_VALUES[name];
  return Type.Optional(field(DecimalIn, description, example));
}

export const operatorMoneyRoutes = {
  getWithdrawalPolicy: defineRoute({
    method: 'GET',
    path: '/v2/admin/withdrawal-policy',
    summary: 'The values of the withdrawal policy',
    description: 'Users never see them.',
    tag: 'operator',
    permission: mayRead,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: WithdrawalPolicy,
    isRialtoOnly: true,
  }),
  setWithdrawalPolicy: defineRoute({
    method: 'PUT',
    path: '/v2/admin/withdrawal-policy',
    summary: 'Change values of the withdrawal policy; omitted ones stay',
    description: 'A change that makes reviews rarer needs approval from another operator.',
    ...act,
    permission: mayMoveMoney,
    roles: ['manager'],
    body: Type.Object(
      {
        one_review_from: policyValueIn('one_review_from'),
        two_reviews_from: policyValueIn('two_reviews_from'),
        new_address_from: policyValueIn('new_address_from'),
        fresh_funds_from: policyValueIn('fresh_funds_from'),
        outflow_per_hour_max: policyValueIn('outflow_per_hour_max'),
        fresh_funds_hours: Type.Optional(policyNumber('fresh_funds_hours')),
        new_for_hours: Type.Optional(policyNumber('new_for_hours')),
        open_max: Type.Optional(policyNumber('open_max')),
        per_hour_max: Type.Optional(policyNumber('per_hour_max')),
      },
      { title: 'WithdrawalPolicyIn', additionalProperties: false },
    ),
    response: WithdrawalPolicy,
    mayWait: true,
    isRialtoOnly: true,
  }),
  getNetworkFees,
  getNetworkFeesFile: listFile(getNetworkFees),
  burn: defineRoute({
    method: 'POST',
    path: '/v2/admin/burn',
    summary: 'Remove money of a user from the exchange',
    description:
      "The money leaves the user's balance immediately. An identical signed request counts once.",
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
          Type.Boolean({ description: 'false only puts the amount on hold; true by default.' }),
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
      'Creates a withdrawal for one user and a deposit for the other in one step. An ' +
      'identical signed request counts once.',
    tag: 'operator',
    permission: mayMoveMoney,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        sender_id: field(UserIdIn, 'The sender.', 7),
        receiver_id: field(UserIdIn, 'The recipient.', 8),
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
    summary: 'Pay money of a user out to an address; requires a key with permission to withdraw',
    description:
      'Like a withdrawal by the user, without email confirmation. An identical signed request ' +
      'counts once.',
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
    summary: 'Enter a trade that two users agreed on outside the book',
    description:
      'Both users must have the money; the book and the last price do not change. An ' +
      'identical signed request counts once.',
    tag: 'operator',
    permission: mayTrade,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        symbol: SymbolIn,
        side: oneOf(SIDES, "The taker's side."),
        price: DecimalIn,
        size: DecimalIn,
        maker_id: UserIdIn,
        taker_id: UserIdIn,
        maker_fee: Type.Unsafe<number | string>({ ...DecimalIn, description: 'Percent.' }),
        taker_fee: Type.Unsafe<number | string>({ ...DecimalIn, description: 'Percent.' }),
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
    description: 'The order belongs to the user and follows all order rules.',
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
          Type.Unsafe<number | string>({
            ...DecimalIn,
            description: 'The price of a limit order.',
          }),
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
    description: 'Works in every market status.',
    tag: 'operator',
    permission: mayTrade,
    roles: ['supervisor', 'manager'],
    effect: 'cancel',
    weight: WEIGHT_ROW,
    query: Type.Object({
      order_id: OrderIdIn,
      user_id: field(
        Type.Optional(UserIdIn),
        'The owner of the order. If omitted, the order determines its owner; an order of ' +
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
    summary: 'A blockchain transaction, as far as it is known to the exchange',
    description: 'Deposits that use the transaction, and the owner of the address.',
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
    summary: 'Pay all collected fees to an account; always requires another operator',
    description:
      'Moves all fees collected since the last settlement, to you unless another user is named.',
    tag: 'operator',
    permission: mayMoveMoney,
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object({
      user_id: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Your own account by default.' }),
      ),
    }),
    status: 200,
    response: Message,
    mayWait: true,
  }),
} as const;
