// Users as operators find and see them. Operator routes also need a role that permits their path
// and method.

import {
  BooleanIn,
  defineRoute,
  FactorCodeIn,
  FormatIn,
  FreeObject,
  field,
  listFile,
  Message,
  MomentIn,
  NO_QUERY,
  oneOf,
  pagedList,
  sample,
  shortListQuery,
  Timestamp,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { OperatorUser } from '../../accounts/api/index.ts';
import { PaymentDetail } from '../../payments/api/index.ts';
import { REVEALED_FIELDS, Reveal, RevealedUser } from './reveal.ts';

const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;

const TextIn = textIn({ minLength: 1, maxLength: 254 });
const StatusIn = Type.Integer({
  minimum: 0,
  maximum: 3,
  description: '0 empty, 1 pending, 2 rejected, 3 completed.',
});

const getUsers = defineRoute({
  method: 'GET',
  path: '/v2/admin/users',
  summary: 'Users with their personal data',
  description:
    'Without `pii.search`, name one user. Personal values are unmasked for administrators of an ' +
    'exchange in `solo` mode and for keys with that grant, and masked for all others.',
  tag: 'operator',
  permission: operatorMayRead,
  roles: ['supervisor', 'manager', 'support', 'kyc', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: shortListQuery({
    id: Type.Optional(UserIdIn),
    user_id: Type.Optional(UserIdIn),
    search: sample(
      Type.Optional({
        ...TextIn,
        description:
          'Part of the email address or username (three characters or more), words of the name ' +
          'or their beginnings; or an exact user ID, email address, phone number, document ' +
          'number, order ID, transaction ID, address or API key.',
      }),
      'ada',
    ),
    type: Type.Optional(
      oneOf(
        ['person', 'sub', 'virtual', 'house'],
        'The account type; all except house accounts by default.',
      ),
    ),
    pending: field(Type.Optional(BooleanIn), 'Only users with documents pending review.'),
    pending_type: Type.Optional(
      oneOf(['id', 'bank'], 'Only users with a pending document or bank account.'),
    ),
    email: Type.Optional(TextIn),
    username: Type.Optional(TextIn),
    full_name: Type.Optional({ ...TextIn, description: 'Words or beginnings of words.' }),
    dob_start_date: field(Type.Optional(MomentIn), 'Born on or after this day.'),
    dob_end_date: field(Type.Optional(MomentIn), 'Born on or before this day.'),
    id_number: field(Type.Optional(TextIn), 'The number of the identity document.', 'X1234567'),
    gender: Type.Optional(BooleanIn),
    nationality: Type.Optional(TextIn),
    phone_number: Type.Optional(TextIn),
    verification_level: Type.Optional(Type.Integer({ minimum: 0, maximum: 63 })),
    email_verified: Type.Optional(BooleanIn),
    otp_enabled: Type.Optional(BooleanIn),
    kyc: sample(Type.Optional(StatusIn), 1),
    bank: sample(Type.Optional(StatusIn), 1),
    bank_key: sample(
      Type.Optional({ ...TextIn, description: 'Rejected: bank accounts are encrypted.' }),
      'iban',
    ),
    bank_value: sample(
      Type.Optional({ ...TextIn, description: 'Rejected: bank accounts are encrypted.' }),
      'DE02120300000000202051',
    ),
    activated: Type.Optional(BooleanIn),
    format: FormatIn,
  }),
  status: 200,
  response: pagedList(OperatorUser),
  csv: true,
  isPersonal: true,
  mayWait: true,
});

const operatorAny = { who: 'operator', scope: 'any', sessions: true } as const;
const operatorInPerson = { ...operatorAny, personOnly: true } as const;

const NameIn = textIn({ minLength: 1, maxLength: 64 });
const LabelIn = textIn({ maxLength: 64 });
const PaymentFieldsIn = {
  label: Type.Optional(LabelIn),
  is_p2p: Type.Optional(Type.Boolean()),
  is_fiat_control: Type.Optional(Type.Boolean()),
  status: Type.Optional(StatusIn),
};

export const peopleRoutes = {
  getUsers,
  getUsersFile: listFile(getUsers),
  revealUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/reveal',
    summary: "Reveal a user's personal data for 15 minutes; another operator reviews it",
    description: 'Requires the fields, a reason and a ticket; the user can see the reveal later.',
    tag: 'operator',
    permission: operatorInPerson,
    roles: ['supervisor'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        fields: Type.Array(oneOf(REVEALED_FIELDS), { minItems: 1, maxItems: 10 }),
        reason: textIn({ minLength: 10, maxLength: 500 }),
        // An ID without free text, because readers of the list do not see the user's data.
        ticket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/#:-]{0,63}$' }),
        otp_code: Type.Optional(FactorCodeIn),
      },
      { title: 'RevealIn' },
    ),
    status: 200,
    response: RevealedUser,
    isRialtoOnly: true,
  }),
  getReveals: defineRoute({
    method: 'GET',
    path: '/v2/admin/reveals',
    summary: 'Reveals of personal data, and their reviews',
    description: 'Includes reason, ticket and review of each reveal.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: shortListQuery({
      user_id: Type.Optional(UserIdIn),
      operator_id: Type.Optional(UserIdIn),
      reviewed: field(
        Type.Optional(BooleanIn),
        'true for reviewed reveals, false for the others.',
        false,
      ),
    }),
    status: 200,
    response: pagedList(Reveal),
    isRialtoOnly: true,
  }),
  reviewReveal: defineRoute({
    method: 'PUT',
    path: '/v2/admin/reveal',
    summary: "Review another operator's reveal",
    description: "Unreviewed reveals suspend the operator's permission to reveal.",
    tag: 'operator',
    permission: operatorInPerson,
    roles: ['supervisor'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: Type.Integer({ minimum: 1 }),
        verdict: oneOf(['justified', 'unjustified']),
        comment: Type.Optional(textIn({ maxLength: 500 })),
      },
      { title: 'RevealReviewIn' },
    ),
    status: 200,
    response: Reveal,
    isRialtoOnly: true,
  }),
  getDataAccesses: defineRoute({
    method: 'GET',
    path: '/v2/user/data-accesses',
    summary: 'Reveals of your personal data by operators, 30 days after each',
    description: 'Shows the fields, not the operator.',
    tag: 'user',
    permission: { who: 'person' },
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: Type.Object({
      count: Type.Integer(),
      data: Type.Array(
        Type.Object({ at: Timestamp, fields: Type.Array(Type.String()) }, { title: 'DataAccess' }),
      ),
    }),
    isRialtoOnly: true,
  }),
  getPaymentDetailsOfUsers: defineRoute({
    method: 'GET',
    path: '/v2/admin/user/payment-details',
    summary: 'Payment details of users, newest first, masked',
    description: 'Filter by user or state.',
    tag: 'operator',
    permission: operatorAny,
    roles: ['supervisor', 'kyc', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: shortListQuery({
      user_id: Type.Optional(UserIdIn),
      id: Type.Optional(Type.Integer({ minimum: 1 })),
      is_p2p: Type.Optional(BooleanIn),
      is_fiat_control: Type.Optional(BooleanIn),
      status: Type.Optional(
        Type.String({
          pattern: '^(true|false|[0-3])$',
          description: 'A status number; `true` is 3, `false` is any other.',
        }),
      ),
    }),
    status: 200,
    response: pagedList(PaymentDetail),
  }),
  addPaymentDetailOfUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/payment-details',
    summary: 'Add a payment detail of a user',
    description: 'It belongs to the user, as if they had added it.',
    tag: 'operator',
    permission: operatorInPerson,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { user_id: UserIdIn, name: NameIn, details: FreeObject, ...PaymentFieldsIn },
      { title: 'PaymentDetailOfUserIn' },
    ),
    status: 200,
    response: PaymentDetail,
  }),
  changePaymentDetailOfUser: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/payment-details',
    summary: 'Change, verify or reject a payment detail of a user',
    description: 'The state determines whether it can be used.',
    tag: 'operator',
    permission: operatorInPerson,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        id: Type.Integer({ minimum: 1 }),
        name: Type.Optional(NameIn),
        details: Type.Optional(FreeObject),
        ...PaymentFieldsIn,
      },
      { title: 'PaymentDetailOfUserChangeIn' },
    ),
    status: 200,
    response: PaymentDetail,
  }),
  removePaymentDetailOfUser: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/user/payment-details',
    summary: 'Remove a payment detail of a user',
    description: 'The user can add it again.',
    tag: 'operator',
    permission: operatorInPerson,
    roles: ['supervisor', 'kyc'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { user_id: UserIdIn, id: Type.Integer({ minimum: 1 }) },
      { title: 'PaymentDetailOfUserNamedIn' },
    ),
    status: 200,
    response: Message,
  }),
} as const;
