// Bank accounts and payment details: users add their own; operators verify bank accounts. Operator
// routes also need a role that permits their path and method.

import {
  BooleanIn,
  defineRoute,
  FreeObject,
  LONG_BODY_BYTES_MAX,
  listQuery,
  Message,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  pagedList,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { BankAccount, BankAccountIn, PaymentDetail } from './bank-account.ts';
import { DescriptionIn } from './transfer-inputs.ts';

const person = { who: 'person' } as const;
const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const operator = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const BankAccounts = Type.Array(BankAccount, { description: 'All bank accounts of the user.' });
const BankAccountsReplaced = Type.Object(
  { ...Message.properties, bank_account: BankAccounts },
  { title: 'BankAccountsReplaced' },
);
const BankIdIn = Type.String({ pattern: '^[0-9a-f]{16}$' });
const StatusIn = Type.Integer({ minimum: 0, maximum: 3 });
const NameIn = textIn({ minLength: 1, maxLength: 64 });
const LabelIn = textIn({ maxLength: 64 });
/** Limited by the maximum body size; a detail is a few lines of text. */
const DetailsIn = FreeObject;
const IgnoredStatusIn = Type.Optional(Type.Integer({ description: 'Ignored: operators set it.' }));
const UserIdsIn = { id: Type.Optional(UserIdIn), user_id: Type.Optional(UserIdIn) };

/** Account numbers can be JSON numbers. */
const BankValueIn = Type.Unsafe<string | number>({
  anyOf: [
    textIn({ maxLength: 256 }),
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ],
});

/** An entry with the ID of an existing account keeps that account. */
const GivenBankAccountIn = Type.Object(
  {
    id: Type.Optional(BankIdIn),
    status: Type.Optional(StatusIn),
    type: Type.Optional(NameIn),
  },
  { title: 'GivenBankAccountIn', additionalProperties: BankValueIn },
);

export const bankAccountRoutes = {
  addBankAccount: defineRoute({
    method: 'POST',
    path: '/v2/user/bank',
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    summary: 'Add a bank account; an operator verifies it',
    description: 'You can use it once an operator has verified it. At most three per user.',
    tag: 'user',
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: BankAccountIn,
    status: 200,
    response: BankAccounts,
  }),
  getPaymentDetails: defineRoute({
    method: 'GET',
    path: '/v2/user/payment-details',
    summary: 'Your payment details, newest first',
    description: 'For fiat, and for trades between users.',
    tag: 'user',
    permission: { ...mayRead, noGuests: true },
    effect: 'read',
    weight: WEIGHT_ROW,
    query: listQuery({
      id: Type.Optional(Type.Integer()),
      is_p2p: Type.Optional(BooleanIn),
      is_fiat_control: Type.Optional(BooleanIn),
      status: Type.Optional(StatusIn),
    }),
    status: 200,
    response: pagedList(PaymentDetail),
  }),
  addPaymentDetail: defineRoute({
    method: 'POST',
    path: '/v2/user/payment-details',
    summary: 'Add a payment detail',
    description: 'A fiat payment detail can be used once an operator has verified it.',
    tag: 'user',
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        name: NameIn,
        label: Type.Optional(LabelIn),
        details: DetailsIn,
        is_p2p: Type.Optional(Type.Boolean()),
        is_fiat_control: Type.Optional(Type.Boolean()),
        status: IgnoredStatusIn,
      },
      { title: 'PaymentDetailIn', additionalProperties: false },
    ),
    status: 200,
    response: PaymentDetail,
  }),
  changePaymentDetail: defineRoute({
    method: 'PUT',
    path: '/v2/user/payment-details',
    summary: 'Change a payment detail; fiat details must be verified again',
    description: 'Omitted fields keep their values.',
    tag: 'user',
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: Type.Integer(),
        name: Type.Optional(NameIn),
        label: Type.Optional(LabelIn),
        details: Type.Optional(DetailsIn),
        is_p2p: Type.Optional(Type.Boolean()),
        is_fiat_control: Type.Optional(Type.Boolean()),
        status: IgnoredStatusIn,
      },
      { title: 'PaymentDetailChangeIn', additionalProperties: false },
    ),
    status: 200,
    response: PaymentDetail,
  }),
  removePaymentDetail: defineRoute({
    method: 'DELETE',
    path: '/v2/user/payment-details',
    summary: 'Remove a payment detail',
    description: 'It can be added again.',
    tag: 'user',
    permission: person,
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { id: Type.Integer() },
      { title: 'PaymentDetailRemovalIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
  replaceBankAccounts: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/bank',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: "Replace a user's bank accounts; omitted accounts are removed",
    description:
      'Names the user in the query or the body. Each account has its type and the values for ' +
      'that type. A single object counts as a list of one account.',
    tag: 'operator',
    permission: operator,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object(UserIdsIn),
    body: Type.Object(
      {
        ...UserIdsIn,
        bank_account: Type.Union([
          GivenBankAccountIn,
          Type.Array(GivenBankAccountIn, { maxItems: 20 }),
        ]),
      },
      { title: 'BankAccountsIn' },
    ),
    status: 200,
    response: BankAccountsReplaced,
  }),
  verifyBankAccount: defineRoute({
    method: 'POST',
    path: '/v2/admin/bank/verify',
    summary: 'Verify a bank account of a user',
    description: 'After that, the user can withdraw to it.',
    tag: 'operator',
    permission: operator,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object({ user_id: UserIdIn, bank_id: BankIdIn }, { title: 'BankVerificationIn' }),
    status: 200,
    response: BankAccounts,
  }),
  revokeBankAccount: defineRoute({
    method: 'POST',
    path: '/v2/admin/bank/revoke',
    summary: "Reject a user's bank account, even a verified one",
    description: 'After that, withdrawals to it are rejected.',
    tag: 'operator',
    permission: operator,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { user_id: UserIdIn, bank_id: BankIdIn, message: Type.Optional(DescriptionIn) },
      { title: 'BankRevocationIn' },
    ),
    status: 200,
    response: BankAccounts,
  }),
} as const;
