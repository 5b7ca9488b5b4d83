// Withdrawals: users request, cancel and read their own; operators review all of them. Operator
// routes also need a role that permits their path and method.

import {
  CodeVersionIn,
  CurrencyIn,
  Decimal,
  DecimalIn,
  defineRoute,
  FactorCodeIn,
  field,
  listFile,
  listQuery,
  Message,
  NO_QUERY,
  pagedList,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  DepositOrWithdrawal,
  DepositOrWithdrawalOfUser,
  withdrawalExample,
} from './deposit-withdrawal.ts';
import {
  NetworkIn,
  operatorTransferFilters,
  TransactionChangeIn,
  transferFilters,
} from './transfer-inputs.ts';
import { WithdrawalConfirmed, WithdrawalCreated } from './withdrawal-created.ts';

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const operatorMayMoveMoney = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const getWithdrawalsOfUsers = defineRoute({
  method: 'GET',
  path: '/v2/admin/withdrawals',
  summary: 'Withdrawals of all users',
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

export const withdrawalRoutes = {
  getWithdrawals: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawals',
    summary: 'Your withdrawals, newest first',
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
  getWithdrawalFee: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawal/fee',
    summary: 'The fee for a withdrawal',
    description:
      'Public. The fee is charged in addition to the amount. With `address`, a destination that ' +
      'the network cannot pay is rejected, so a program can check it before a withdrawal.',
    tag: 'withdrawals',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: Type.Object(
      {
        currency: Type.Optional(CurrencyIn),
        symbol: Type.Optional(CurrencyIn),
        network: Type.Optional(NetworkIn),
        address: field(
          Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
          'A destination to check; with a tag, `address:tag`.',
          'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        ),
      },
      { description: '`symbol` is an alias for `currency`; one of them is required.' },
    ),
    status: 200,
    response: Type.Object({ fee: Decimal, fee_coin: Type.String() }, { title: 'WithdrawalFeeOf' }),
  }),
  getWithdrawalMax: defineRoute({
    method: 'GET',
    path: '/v2/user/withdrawal/max',
    summary: 'The maximum that you can withdraw now, after the fee and within your limits',
    description: "The minimum of your available balance, your tier's limits and the coin's limits.",
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
    summary: 'Withdraw to an address; requires a key with permission to withdraw',
    description:
      'The amount and the fee are put on hold immediately. Rules can require a review: then ' +
      '`onhold` is true. If the response is lost, send the same signed request again: it counts ' +
      'once, and is rejected as already used if it was recorded.',
    tag: 'withdrawals',
    permission: { who: 'user', scope: 'can_withdraw', sessions: false },
    effect: 'write',
    isRecorded: true,
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
          'An address with a tag is `address:tag`. The network is required if there are several.',
      },
    ),
    status: 200,
    response: WithdrawalCreated,
    example: {
      body: { currency: 'btc', amount: 0.5, address: withdrawalExample.address, network: 'btc' },
      response: {
        message: 'Withdrawal request is in the queue and will be processed.',
        id: 91,
        transaction_id: withdrawalExample.transaction_id,
        amount: 0.5,
        currency: 'btc',
        fee: 0.0005,
        fee_coin: 'btc',
      },
    },
  }),
  requestWithdrawal: defineRoute({
    method: 'POST',
    path: '/v2/user/request-withdrawal',
    summary: 'Request a withdrawal with your second factor; confirm it by email',
    description:
      'Nothing is put on hold until you confirm the email. The code is bound to the terms: it ' +
      'confirms exactly this withdrawal.',
    tag: 'withdrawals',
    permission: { who: 'person' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module: 'identity',
    query: NO_QUERY,
    body: Type.Object(
      {
        currency: CurrencyIn,
        amount: DecimalIn,
        address: Type.String({ minLength: 1, maxLength: 256 }),
        network: Type.Optional(NetworkIn),
        otp_code: Type.Optional(FactorCodeIn),
        version: CodeVersionIn,
      },
      {
        title: 'WithdrawalRequestIn',
        additionalProperties: false,
        description:
          'An address with a tag is `address:tag`. The network is required if there are several. ' +
          "On the network `email`, the address is another user's email: free and immediate.",
      },
    ),
    status: 200,
    response: Message,
    example: {
      body: {
        currency: 'btc',
        amount: 0.5,
        address: withdrawalExample.address,
        network: 'btc',
        otp_code: '492039',
      },
      response: { message: 'Success' },
    },
  }),
  confirmWithdrawal: defineRoute({
    method: 'POST',
    path: '/v2/user/confirm-withdrawal',
    summary: 'Confirm a withdrawal with the emailed code; the amount is put on hold',
    description:
      'No login required, because the email can be opened on another device. Codes work once.',
    tag: 'withdrawals',
    permission: { who: 'anyone', mayIdentify: true },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module: 'identity',
    query: NO_QUERY,
    body: Type.Object(
      { token: Type.String({ minLength: 1, maxLength: 128 }) },
      {
        title: 'WithdrawalConfirmIn',
        additionalProperties: false,
        description: 'A link works anywhere; a short code only in the session that requested it.',
      },
    ),
    status: 200,
    response: WithdrawalConfirmed,
    example: {
      body: { token: '8c1d5b0e-2f6a-4c7b-b3d9-0e4f6a8c2d11' },
      response: {
        message: 'Withdrawal successful',
        fee: 0.0005,
        transaction_id: withdrawalExample.transaction_id,
      },
    },
  }),
  cancelWithdrawal: defineRoute({
    method: 'DELETE',
    path: '/v2/user/withdrawal',
    summary: 'Cancel a withdrawal before it is claimed for payment',
    description:
      'Releases the amount and the fee. Once an operator or a connector has claimed it, it ' +
      'cannot be canceled.',
    tag: 'withdrawals',
    permission: { who: 'user', scope: 'can_withdraw', sessions: true },
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    query: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    status: 200,
    response: DepositOrWithdrawal,
    example: {
      query: { id: '91' },
      response: { ...withdrawalExample, waiting: false, dismissed: true },
    },
  }),
  getWithdrawalsOfUsers,
  getWithdrawalsOfUsersFile: listFile(getWithdrawalsOfUsers),
  reviewWithdrawal: defineRoute({
    method: 'PUT',
    path: '/v2/admin/burn',
    summary: 'Approve, claim, complete, dismiss or reject a withdrawal',
    description:
      'Names the withdrawal by its transaction ID. Claim it before you pay it, and complete it ' +
      'with the blockchain transaction ID. `waiting: true` stops the payment until it is ' +
      'approved again. `updated_address` applies only to burns: the owner has confirmed a ' +
      "withdrawal's address.",
    tag: 'operator',
    permission: operatorMayMoveMoney,
    roles: ['supervisor'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        ...TransactionChangeIn.properties,
        otp_code: Type.Optional(FactorCodeIn),
      },
      {
        title: 'WithdrawalReviewIn',
        description:
          'With `waiting: false`, an operator approves it, in a login session and with `otp_code`.',
      },
    ),
    status: 200,
    response: DepositOrWithdrawalOfUser,
    example: {
      body: {
        transaction_id: withdrawalExample.transaction_id,
        updated_transaction_id: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
        status: true,
      },
    },
  }),
} as const;
