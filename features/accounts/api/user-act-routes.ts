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
    otp_enabled: Type.Boolean({ description: 'Whether the operator uses one-time passwords.' }),
    role_since: field(TimestampOrNull, 'When the user got the role; null if the user has no role.'),
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
    description: 'The account can be used immediately with the password that you set.',
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
    description: 'Every change is recorded in the audit log, without its values.',
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
          'A masked gender (null) keeps its value.',
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
              number: field(Type.Optional(PersonalIn), 'The document number.', 'X1234567'),
              issued_date: field(
                Type.Optional(DateOrNullIn),
                'The date of issue; null if unknown.',
              ),
              expiration_date: field(
                Type.Optional(DateOrNullIn),
                'The expiry date; null if unknown.',
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
    summary: 'Close an empty account; it can be restored until its data is erased',
    description: 'Rejected while the account has a balance or an open order.',
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
    description: 'Possible only until the account is erased.',
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
    summary: 'Freeze or unfreeze an account',
    description: 'A frozen account has no sessions, keys or open orders.',
    ...act,
    permission: operator,
    roles: ['supervisor', 'manager'],
    body: Type.Object(
      { user_id: UserIdIn, activated: Type.Boolean({ description: 'false freezes the account.' }) },
      { title: 'UserActivationIn', ...closed },
    ),
    response: Message,
    mayWait: true,
  }),
  setUserRole: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/role',
    summary: "Grant a role, or remove it with `user`; ends the user's sessions",
    description: 'Operators can grant only permissions that they have.',
    ...act,
    permission: person,
    roles: [],
    query: UserQuery,
    body: Type.Object(
      {
        ...OptionalUserIn,
        role: field(
          Type.String({ minLength: 1, maxLength: 48, pattern: '^[a-z][a-z0-9_-]*$' }),
          'The role, or `user` to remove the current role.',
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
    summary: "Change a user's values for the keys defined in `user_meta` of the kit",
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
          Type.Boolean({
            description: 'true replaces all values; false changes only the given ones.',
          }),
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
    summary: "Set a user's trading fee discount in percent",
    description: 'Applies to orders placed after the change.',
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
    summary: 'Write the operator note about a user',
    description: 'Visible to other operators, never to the user.',
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
    summary: "Set a user's verification level, which is a tier",
    description: 'Fees and limits follow the new tier immediately.',
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
    summary: 'Remove all second factors of a user; pauses withdrawals for 72 hours',
    description: 'For users who lost their device and their recovery codes.',
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
    summary: 'Confirm the email address of a user who has not verified it',
    description: 'Use it if emails do not arrive.',
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
    description: 'A second request removes the flag.',
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
    summary: "Change a user's email address; requires your factor and an emailed code",
    description: 'For users who lost access to the old mailbox.',
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
    description: 'The session is closed on every gateway within a second.',
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
    summary: 'End all sessions immediately, except your own; API keys are not affected',
    description: 'Use it if session tokens were leaked.',
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
    summary: "Block a user's withdrawals until a given time; null removes the block",
    description: 'Withdrawals already claimed are not affected.',
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
    summary: 'Create a deposit address for a user',
    description: 'Same as `create-address` called by the user.',
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
    description: 'Includes the role and state of each user.',
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
