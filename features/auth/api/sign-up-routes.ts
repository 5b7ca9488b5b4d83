// Sign-up, email verification, password reset and password change. Responses of public calls do not
// reveal whether an address has an account.

import {
  defineRoute,
  field,
  Message,
  NO_QUERY,
  Notice,
  oneOf,
  sample,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

const anyone = { who: 'anyone' } as const;
const tag = 'sign-up and passwords';
const module = 'identity';

const EmailIn = textIn({ minLength: 3, maxLength: 254 });
const VersionIn = Type.Optional(
  oneOf(
    ['v2', 'v3', 'v4'],
    'Code format: `v2` is a link (default), `v3` looks like AA-12345, `v4` has six digits. ' +
      'Short codes are valid only in the browser or network that requested them.',
  ),
);
const CodeIn = Type.String({ minLength: 1, maxLength: 64 });
const CaptchaIn = Type.Optional(Type.String({ maxLength: 4_096 }));
const NewPasswordIn = Type.String({
  maxLength: 256,
  description: '8 to 128 characters; common passwords are rejected.',
});
const FactorCodeIn = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'A one-time password or a recovery code, if the account has a second factor.',
  }),
);

export const signUpRoutes = {
  signUp: defineRoute({
    method: 'POST',
    path: '/v2/signup',
    summary: 'Sign up; the response is the same if the address already has an account',
    description: 'The account is created once the emailed code is verified.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: EmailIn,
        password: Type.Optional(NewPasswordIn),
        referral: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'A referral code. Invalid codes are ignored.',
          }),
        ),
        captcha: CaptchaIn,
        version: VersionIn,
        invitation: sample(
          Type.Optional(
            Type.String({ maxLength: 64, description: 'Required if sign-up is by invitation.' }),
          ),
          'k7Q2',
        ),
      },
      { title: 'SignUpIn' },
    ),
    status: 201,
    response: Notice,
  }),
  resendVerification: defineRoute({
    method: 'GET',
    path: '/v2/verify',
    summary: 'Resend the verification code if the address is unverified',
    description: 'The response does not reveal whether the address is known.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: Type.Object({
      email: EmailIn,
      resend: Type.Optional(Type.Boolean({ description: 'Ignored; every request sends a code.' })),
      version: VersionIn,
      captcha: CaptchaIn,
    }),
    status: 200,
    response: Notice,
  }),
  verifyEmail: defineRoute({
    method: 'POST',
    path: '/v2/verify',
    summary: 'Verify the email address with the code and activate the account',
    description: 'The code is valid once, for a few minutes.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        verification_code: field(CodeIn, 'The emailed code.', '7f3c9a1b2d4e6f8091a2'),
        email: Type.Optional(EmailIn),
      },
      { title: 'VerifyEmailIn' },
    ),
    status: 200,
    response: Notice,
  }),
  requestPasswordReset: defineRoute({
    method: 'GET',
    path: '/v2/reset-password',
    summary: 'Send a password reset code if the address has an account',
    description: 'The response does not reveal whether the address is known.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: Type.Object({ email: EmailIn, version: VersionIn, captcha: CaptchaIn }),
    status: 200,
    response: Notice,
  }),
  resetPassword: defineRoute({
    method: 'POST',
    path: '/v2/reset-password',
    summary: 'Set a new password; ends all sessions and pauses withdrawals for 24 hours',
    description: 'Also requires the second factor, if the account has one.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        code: field(CodeIn, 'The emailed code.', '7f3c9a1b2d4e6f8091a2'),
        new_password: NewPasswordIn,
        otp_code: FactorCodeIn,
      },
      { title: 'ResetPasswordIn' },
    ),
    status: 200,
    response: Notice,
  }),
  changePassword: defineRoute({
    method: 'POST',
    path: '/v2/user/change-password',
    summary: 'Change your password; confirm with an emailed code',
    description: 'The new password takes effect when you confirm it by email.',
    tag,
    permission: { who: 'person' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        old_password: field(
          Type.String({ maxLength: 256 }),
          'The current password.',
          'correct horse 42',
        ),
        new_password: NewPasswordIn,
        otp_code: FactorCodeIn,
        version: VersionIn,
      },
      { title: 'ChangePasswordIn' },
    ),
    status: 200,
    response: Notice,
  }),
  openPasswordChange: defineRoute({
    method: 'GET',
    path: '/v2/confirm-change-password/:code',
    summary: 'Redirect to the page that confirms a new password; `version=v3` confirms it',
    description: 'Target of links in emails; following a link changes nothing.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    params: Type.Object({ code: field(CodeIn, 'The emailed code.', '7f3c9a1b2d4e6f8091a2') }),
    query: Type.Object({ version: VersionIn }),
    status: 200,
    response: Message,
  }),
  confirmPasswordChange: defineRoute({
    method: 'POST',
    path: '/v2/confirm-change-password',
    summary: 'Confirm a new password; ends other sessions, pauses withdrawals for 24 hours',
    description: 'The code is valid once.',
    tag,
    permission: anyone,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    body: Type.Object(
      { code: field(CodeIn, 'The emailed code.', '7f3c9a1b2d4e6f8091a2') },
      { title: 'ConfirmPasswordIn' },
    ),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
} as const;
