// Operator actions on users. They also need a role that permits their path and method. Calls with
// `mayWait` return 202 if another operator must approve them.

import type { Static } from 'typebox';
import {
  act,
  CurrencyIn,
  Decimal,
  DecimalIn,
  defineRoute,
  EmailCodeIn,
  FactorCodeIn,
  FreeObject,
  field,
  Message,
  MomentIn,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  PAGE_LENGTH,
  PAGE_LENGTH_MAX,
  pagedList,
  person,
  Timestamp,
  TimestampOrNull,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { OperatorUser } from './operator-user.ts';

/** A user with a role. */
export const OperatorRow = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    username: Type.String(),
    role: Type.String(),
    activated: Type.Boolean(),
    otp_enabled: Type.Boolean({ description: 'Whether the operator has a one-time password.' }),
    role_since: field(TimestampOrNull, 'Since when the user has the role; null without one.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Operator' },
);
export type OperatorRow = Static<typeof OperatorRow>;

const operator = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const closed = { additionalProperties: false } as const;
const EmailIn = textIn({ minLength: 3, maxLength: 254 });
/** Storable text without the dots of a mask, because operators must not write masks back. */
const PersonalIn = Type.String({
  maxLength: 256,
  pattern: '^[^\\u0000\\ud800-\\udfff\\u2022]*$',
});
const DateOrNullIn = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 40,
  format: 'date-time',
});

/** The query names the user; older clients name it in the body. */
const OptionalUserIn = { user_id: Type.Optional(UserIdIn) };
const UserQuery = Type.Object(OptionalUserIn);

const LogoutEveryone = Type.Object(
  { message: Type.String(), ended_at: Type.String({ format: 'date-time' }) },
  { title: 'LogoutEveryone' },
);

export const userActRoutes = {
  createUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user',
    summary: 'Create a user with a verified email address',
    description: 'The account can be used at once, with the password that you set.',
    tag: 'operator',
    permission: operator,
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: EmailIn,
        password: Type.String({ minLength: 1, maxLength: 512 }),
        referral: Type.Optional(textIn({ maxLength: 64 })),
      },
      { title: 'NewUserIn', ...closed },
    ),
    status: 201,
    response: Type.Object({ message: Type.String(), id: Type.Integer() }, { title: 'NewUser' }),
  }),
  updateUser: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user',
    summary: 'Change the personal data of a user; omitted fields keep their values',
    description: 'Every change is in the audit, without its values.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'kyc'],
    query: UserQuery,
    body: Type.Object(
      {
        ...OptionalUserIn,
        full_name: Type.Optional(PersonalIn),
        gender: field(
          Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
          'A masked gender, null, keeps its value.',
          false,
        ),
        nationality: Type.Optional(PersonalIn),
        phone_number: Type.Optional(PersonalIn),
        dob: Type.Optional(DateOrNullIn),
        address: Type.Optional(
          Type.Object(
            {
              country: Type.Optional(PersonalIn),
              address: Type.Optional(PersonalIn),
              postal_code: field(Type.Optional(PersonalIn), 'The postal code.', 'SW1A 1AA'),
              city: field(Type.Optional(PersonalIn), 'The city.', 'London'),
            },
            closed,
          ),
        ),
        id_data: Type.Optional(
          Type.Object(
            {
              status: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  maximum: 3,
                  description: '0 empty, 1 pending, 2 rejected, 3 verified.',
                }),
              ),
              type: Type.Optional(PersonalIn),
              number: field(Type.Optional(PersonalIn), 'The number of the document.', 'X1234567'),
              issued_date: field(
                Type.Optional(DateOrNullIn),
                'When the document was issued; null if unknown.',
              ),
              expiration_date: field(
                Type.Optional(DateOrNullIn),
                'When the document ends; null if unknown.',
              ),
              note: Type.Optional(PersonalIn),
            },
            closed,
          ),
        ),
      },
      { title: 'UserChangeIn', ...closed },
    ),
    response: OperatorUser,
  }),
  deleteUser: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/user',
    summary: 'Close an empty account; it can be restored until it is erased',
    description: 'Refused while there is money or an open order.',
    ...act,
    permission: operator,
    roles: [],
    body: Type.Object({ user_id: UserIdIn }, { title: 'UserDeletionIn', ...closed }),
    response: Message,
  }),
  restoreUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/restore',
    summary: 'Restore a deleted user',
    description: 'Only until the account is erased.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object({ user_id: UserIdIn }, { title: 'UserRestorationIn', ...closed }),
    response: Message,
    mayWait: true,
  }),
  activateUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/activate',
    summary: 'Freeze an account, or let it go on',
    description: 'A frozen account has no sessions, keys or open orders.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'manager'],
    body: Type.Object(
      { user_id: UserIdIn, activated: Type.Boolean({ description: 'false freezes it.' }) },
      { title: 'UserActivationIn', ...closed },
    ),
    response: Message,
    mayWait: true,
  }),
  setUserRole: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/role',
    summary: 'Give a user a role, or take it away with `user`; ends the sessions of the user',
    description: 'Nobody grants more than they have.',
    ...act,
    permission: person,
    roles: [],
    query: UserQuery,
    body: Type.Object(
      {
        ...OptionalUserIn,
        role: field(
          Type.String({ minLength: 1, maxLength: 48, pattern: '^[a-z][a-z0-9_-]*$' }),
          'The role, or `user` to take it away.',
          'support',
        ),
        otp_code: Type.Optional(FactorCodeIn),
      },
      { title: 'UserRoleIn', ...closed },
    ),
    response: Message,
    mayWait: true,
  }),
  setUserMeta: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/meta',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Change values of a user under the keys that user_meta of the kit defines',
    description: 'Null removes a value that is not required.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'kyc'],
    query: UserQuery,
    body: Type.Object(
      {
        ...OptionalUserIn,
        meta: FreeObject,
        overwrite: Type.Optional(
          Type.Boolean({ description: 'Replaces all values; otherwise only those given.' }),
        ),
      },
      { title: 'MetaOfUserIn', ...closed },
    ),
    response: Type.Object(
      {
        message: Type.String(),
        id: Type.Integer(),
        email: Type.String({ description: 'Masked: `m•••@d•••.com`.' }),
        meta: FreeObject,
      },
      { title: 'MetaOfUser' },
    ),
  }),
  setUserDiscount: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/discount',
    summary: 'Set the discount of a user on trading fees, in percent',
    description: 'Counts for orders that are placed from then on.',
    ...act,
    permission: operator,
    roles: [],
    query: UserQuery,
    body: Type.Object(
      { ...OptionalUserIn, discount: DecimalIn },
      { title: 'UserDiscountIn', ...closed },
    ),
    response: Type.Object(
      { message: Type.String(), id: Type.Integer(), discount: Decimal },
      { title: 'UserDiscount' },
    ),
    mayWait: true,
  }),
  setUserNote: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/note',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Write the note of operators about a user',
    description: 'The user never sees it; other operators do.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'manager', 'support', 'kyc'],
    query: UserQuery,
    body: Type.Object(
      { ...OptionalUserIn, note: textIn({ maxLength: 10_000 }) },
      { title: 'UserNoteIn', ...closed },
    ),
    response: Message,
  }),
  upgradeUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/upgrade-user',
    summary: 'Set the verification level of a user, which is a tier',
    description: 'Fees and limits follow the tier at once.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'kyc'],
    body: Type.Object(
      { user_id: UserIdIn, verification_level: Type.Integer({ minimum: 0, maximum: 63 }) },
      { title: 'UserUpgradeIn', ...closed },
    ),
    response: Message,
  }),
  resetFactors: defineRoute({
    method: 'POST',
    path: '/v2/admin/deactivate-otp',
    summary: 'Remove all second factors of a user; withdrawals wait for 72 hours',
    description: 'For people who lost their device and their recovery codes.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'support'],
    body: Type.Object({ user_id: UserIdIn }, { title: 'FactorResetIn', ...closed }),
    response: Message,
    mayWait: true,
  }),
  verifyEmailOfUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/verify-email',
    summary: 'Vouch for the email address of a user who has not verified it',
    description: 'Use it if mails do not arrive.',
    ...act,
    permission: person,
    roles: ['supervisor', 'kyc'],
    body: Type.Object({ user_id: UserIdIn }, { title: 'EmailVerificationIn', ...closed }),
    response: Message,
    mayWait: true,
  }),
  flagUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/flag-user',
    summary: 'Flag a user for other operators, or remove the flag',
    description: 'A second call removes the flag.',
    ...act,
    permission: person,
    roles: ['supervisor', 'manager', 'support', 'kyc'],
    body: Type.Object({ user_id: UserIdIn }, { title: 'UserFlagIn', ...closed }),
    response: Type.Object(
      { message: Type.String(), flagged: Type.Boolean() },
      { title: 'UserFlag' },
    ),
  }),
  changeEmailOfUser: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/email',
    summary: 'Change the email address of a user; requires your factor and an emailed code',
    description: 'For people who lost the old mailbox.',
    ...act,
    permission: person,
    roles: ['supervisor', 'support'],
    body: Type.Object(
      { user_id: UserIdIn, email: EmailIn, email_code: EmailCodeIn, otp_code: FactorCodeIn },
      { title: 'UserEmailIn', ...closed },
    ),
    response: Message,
    mayWait: true,
  }),
  revokeSessionOfUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/revoke-session',
    summary: 'End a session of a user',
    description: 'The session ends on every gateway within a second.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'manager'],
    body: Type.Object(
      { session_id: Type.Integer({ minimum: 1 }) },
      { title: 'SessionRevocationIn', ...closed },
    ),
    response: Message,
  }),
  logOutEveryone: defineRoute({
    method: 'POST',
    path: '/v2/admin/logout-everyone',
    summary: 'End all sessions at once, except your own; API keys are not touched',
    description: 'Use it after a leak of session tokens.',
    ...act,
    isRialtoOnly: true,
    permission: operator,
    roles: ['supervisor', 'manager'],
    body: Type.Object(
      { reason: textIn({ minLength: 1, maxLength: 500 }) },
      { title: 'LogoutEveryoneIn', ...closed },
    ),
    response: LogoutEveryone,
  }),
  blockWithdrawals: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/disable-withdrawal',
    summary: 'Block the withdrawals of a user until a time; null ends the block',
    description: 'Withdrawals that are already claimed go on.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'manager'],
    body: Type.Object(
      { user_id: UserIdIn, expiry_date: DateOrNullIn },
      { title: 'WithdrawalBlockIn', ...closed },
    ),
    response: Message,
    mayWait: true,
  }),
  createAddressOfUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/wallet',
    summary: 'Give a user a deposit address',
    description: 'The same as `create-address` of the user.',
    tag: 'operator',
    permission: operator,
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        user_id: UserIdIn,
        crypto: CurrencyIn,
        network: Type.Optional(textIn({ minLength: 1, maxLength: 32 })),
      },
      { title: 'UserAddressIn', ...closed },
    ),
    status: 201,
    response: Type.Object(
      {
        message: Type.String(),
        address: Type.String(),
        crypto: Type.String(),
        network: Type.String(),
      },
      { title: 'UserAddress' },
    ),
  }),
  getOperators: defineRoute({
    method: 'GET',
    path: '/v2/admin/operators',
    summary: 'The users with a role',
    description: 'With role and state of each.',
    tag: 'operator',
    permission: person,
    roles: ['auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object({
      email: Type.Optional(EmailIn),
      limit: Type.Integer({
        minimum: 1,
        maximum: PAGE_LENGTH_MAX,
        default: PAGE_LENGTH,
        clamped: true,
      }),
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, clamped: true }),
      order_by: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_]+$' })),
      order: Type.Optional(oneOf(['asc', 'desc'])),
      start_date: Type.Optional(MomentIn),
      end_date: Type.Optional(MomentIn),
    }),
    status: 200,
    response: pagedList(OperatorRow),
  }),
} as const;
