// Second factors: one-time passwords, passkeys and recovery codes. Only the account holder changes
// them, in a login session. Anyone may try to log in with a passkey.

import { Type } from 'typebox';
import { Message } from '../resources/error-body.ts';
import { SessionToken } from '../resources/login.ts';
import {
  Passkey,
  PasskeyCredentialIn,
  PasskeyNameIn,
  PasskeyOptions,
  PasskeyRegistrationOptions,
} from '../resources/passkey.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY, WEIGHT_ROW } from '../weights.ts';
import { textIn } from '../wire-types.ts';

const anyone = { who: 'anyone' } as const;
const person = { who: 'person' } as const;
const tag = 'second factors';
const module = 'identity';

/** A recovery code has 29 characters with its dashes; people add blanks. */
const FactorCodeIn = Type.String({
  maxLength: 64,
  description: 'A one-time password of six digits, or a recovery code.',
});
const OtpCodeIn = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'A one-time password or a recovery code, if the account has a factor. Accounts whose only ' +
      'factor is a passkey may prove it to the session instead.',
  }),
);
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Shown once. Present with the first factor.',
});
const ChallengeIn = Type.String({ minLength: 1, maxLength: 256 });

export const factorRoutes = {
  requestOtp: defineRoute({
    method: 'GET',
    path: '/v2/user/request-otp',
    summary: 'A new secret for an authenticator app',
    description: 'Nothing changes until the first code is sent to `activate-otp`.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: Type.Object(
      {
        secret: Type.String({ description: 'In base32. Activate it within ten minutes.' }),
        uri: Type.String({ description: 'The text of a QR code for the app.' }),
      },
      { title: 'OtpSecret' },
    ),
  }),
  activateOtp: defineRoute({
    method: 'POST',
    path: '/v2/user/activate-otp',
    summary: 'Enable one-time passwords with the first code of the app',
    description: 'Answers with recovery codes, which are shown once.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      { code: Type.String({ maxLength: 64 }), otp_code: OtpCodeIn },
      { title: 'ActivateOtpIn' },
    ),
    status: 200,
    response: Type.Object(
      { message: Type.String(), recovery_codes: Type.Optional(RecoveryCodes) },
      { title: 'OtpActivated' },
    ),
  }),
  deactivateOtp: defineRoute({
    method: 'POST',
    path: '/v2/user/deactivate-otp',
    summary: 'Disable one-time passwords; withdrawals are held for 24 hours',
    description: 'Needs a code of the app.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object({ code: FactorCodeIn }, { title: 'DeactivateOtpIn' }),
    status: 200,
    response: Message,
  }),
  getRecoveryCodes: defineRoute({
    method: 'GET',
    path: '/v2/user/recovery-codes',
    summary: 'How many recovery codes are left',
    description: 'The codes themselves are never shown again.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: Type.Object({ left: Type.Integer() }, { title: 'RecoveryCodesLeft' }),
    isRialtoOnly: true,
  }),
  renewRecoveryCodes: defineRoute({
    method: 'POST',
    path: '/v2/user/recovery-codes',
    summary: 'A new set of recovery codes; the old set is void',
    description: 'Needs your second factor. The codes are shown once.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object({ otp_code: OtpCodeIn }, { title: 'RenewRecoveryCodesIn' }),
    status: 200,
    response: Type.Object({ recovery_codes: RecoveryCodes }, { title: 'RecoveryCodes' }),
    isRialtoOnly: true,
  }),
  getPasskeyRegistration: defineRoute({
    method: 'GET',
    path: '/v2/user/request-passkey-options',
    summary: 'Options to create a passkey',
    description: 'For the WebAuthn call of the browser; valid for five minutes.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: PasskeyRegistrationOptions,
  }),
  activatePasskey: defineRoute({
    method: 'POST',
    path: '/v2/user/activate-passkey',
    summary: 'Add a passkey to the account',
    description: 'Needs another factor, if you have one.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        challenge: ChallengeIn,
        webauthn_user_id: Type.String({ minLength: 1, maxLength: 128 }),
        credential: PasskeyCredentialIn,
        name: Type.Optional(PasskeyNameIn),
        otp_code: OtpCodeIn,
      },
      { title: 'ActivatePasskeyIn' },
    ),
    status: 200,
    response: Type.Object(
      {
        message: Type.String(),
        passkey: Passkey,
        recovery_codes: Type.Optional(RecoveryCodes),
      },
      { title: 'PasskeyActivated' },
    ),
  }),
  getPasskeys: defineRoute({
    method: 'GET',
    path: '/v2/user/passkeys',
    summary: 'Your passkeys, oldest first',
    description: 'With the name and the last use of each.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: Type.Object({ data: Type.Array(Passkey) }, { title: 'Passkeys' }),
    isRialtoOnly: true,
  }),
  deletePasskey: defineRoute({
    method: 'DELETE',
    path: '/v2/user/passkeys',
    summary: 'Remove a passkey; withdrawals are held for 24 hours',
    description: 'Needs a second factor.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), otp_code: OtpCodeIn },
      { title: 'DeletePasskeyIn' },
    ),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
  getPasskeyLogin: defineRoute({
    method: 'GET',
    path: '/v2/login/passkey-auth-options',
    summary: 'Options to log in with a passkey; the same for every e-mail but for the challenge',
    description: 'For the WebAuthn call of the browser; valid for five minutes.',
    tag,
    permission: anyone,
    effect: 'read',
    worksStopped: true,
    weight: WEIGHT_ROW,
    module,
    query: Type.Object({ email: textIn({ maxLength: 254 }) }),
    status: 200,
    response: PasskeyOptions,
  }),
  logInWithPasskey: defineRoute({
    method: 'POST',
    path: '/v2/login/verify-passkey',
    summary: 'Log in with a passkey',
    description: 'Opens a session without a password: the passkey is both factors.',
    tag,
    permission: anyone,
    effect: 'write',
    worksReadOnly: true,
    worksStopped: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        challenge: ChallengeIn,
        credential: PasskeyCredentialIn,
        long_term: Type.Optional(
          Type.Boolean({ description: 'A session of 90 days instead of 7; not for operators.' }),
        ),
      },
      { title: 'LogInWithPasskeyIn' },
    ),
    status: 201,
    response: SessionToken,
  }),
  getPasskeyProof: defineRoute({
    method: 'GET',
    path: '/v2/user/prove-passkey',
    summary: 'Options to prove a passkey to the session',
    description: 'For the WebAuthn call of the browser; valid for five minutes.',
    tag,
    permission: person,
    effect: 'read',
    worksStopped: true,
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: PasskeyOptions,
    isRialtoOnly: true,
  }),
  provePasskey: defineRoute({
    method: 'POST',
    path: '/v2/user/prove-passkey',
    summary: 'Prove a passkey to the session; it counts for five minutes',
    description: 'Calls that ask for a second factor then accept the session.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    worksStopped: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      { challenge: ChallengeIn, credential: PasskeyCredentialIn },
      { title: 'PasskeyAnswerIn' },
    ),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
} as const;
