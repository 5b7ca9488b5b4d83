// The account holder's own profile: settings, username, email address, and closing the account.

import {
  defineRoute,
  EmailCodeIn,
  FactorCodeIn,
  field,
  LONG_BODY_BYTES_MAX,
  Message,
  NO_QUERY,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { User } from './user.ts';
import { SettingsIn } from './user-settings.ts';

const person = { who: 'person' } as const;
const tag = 'user';
const module = 'identity';

const CodeIn = Type.String({ minLength: 1, maxLength: 64 });

export const profileRoutes = {
  // In the user module, like GET /v2/user, which has the same response.
  changeSettings: defineRoute({
    method: 'PUT',
    path: '/v2/user/settings',
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    summary: 'Replace groups of your settings; omitted groups keep their values',
    description: 'Send complete groups: a group that you send replaces the previous one.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: SettingsIn,
    status: 200,
    response: User,
  }),
  chooseUsername: defineRoute({
    method: 'POST',
    path: '/v2/user/username',
    summary: 'Choose your username (once)',
    description: 'Three to fifteen letters, digits and underscores. It cannot be changed later.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        username: Type.String({ maxLength: 64, description: '3 to 15 of a-z, 0-9 and _.' }),
      },
      { title: 'UsernameIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
  requestEmailChange: defineRoute({
    method: 'POST',
    path: '/v2/user/set-email',
    summary: 'Email a code to your old and new email address',
    description:
      'Requires your second factor, if you have one. Both codes are valid for a few minutes.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 1, maxLength: 320 }),
        otp_code: Type.Optional(FactorCodeIn),
      },
      { title: 'EmailChangeIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
  confirmEmailChange: defineRoute({
    method: 'POST',
    path: '/v2/user/set-email/confirm',
    summary: 'Change your email address; withdrawals are paused for 24 hours',
    description: 'Requires both codes. Ends all other sessions.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        old_code: field(CodeIn, 'The code sent to the old address.', '492039'),
        new_code: field(CodeIn, 'The code sent to the new address.', '118437'),
      },
      { title: 'EmailChangeConfirmationIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
  deactivateUser: defineRoute({
    method: 'GET',
    path: '/v2/user/deactivate',
    summary: 'Freeze your account: sessions and keys are revoked, orders are canceled',
    description: 'For clients that freeze with GET. Only support can unfreeze the account.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    status: 200,
    response: Message,
  }),
  // Same, for clients that change nothing with a GET.
  deactivateUserByPost: defineRoute({
    method: 'POST',
    path: '/v2/user/deactivate',
    summary: 'Freeze your account: sessions and keys are revoked, orders are canceled',
    description: 'Only support can unfreeze the account. Balances are not changed.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_HEAVY,
    module,
    isRialtoOnly: true,
    query: NO_QUERY,
    body: Type.Object({}, { title: 'DeactivationIn', additionalProperties: false }),
    status: 200,
    response: Message,
  }),
  // In the user module, like GET /v2/user: proxies route by path.
  closeAccount: defineRoute({
    method: 'DELETE',
    path: '/v2/user',
    summary: 'Delete your account, which must be empty; it is closed after 14 days',
    description:
      'Rejected while the account has a balance, an open order or a pending withdrawal. Log in ' +
      'within 14 days to keep the account; after that, personal data is erased.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { email_code: EmailCodeIn, otp_code: Type.Optional(FactorCodeIn) },
      { title: 'AccountClosingIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
} as const;
